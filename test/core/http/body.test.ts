import { expect } from "chai";
import type { Route } from "@pergola/sdk";
import { closeDoors, errorIn, openDoor, readAnswer, sendBytes } from "./open-door.ts";

const echo: Route = {
  method: "POST",
  path: "/echo",
  scope: "read",
  summary: "",
  handle: ({ rawBody }) => ({ body: { got: rawBody } }),
};
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const limit = 4096;

describe("request bodies", () => {
  let port: number;

  beforeEach(async () => {
    ({ port } = await openDoor([echo], { preferences: { "server.max_body_bytes": limit } }));
  });
  afterEach(closeDoors);

  async function post(body: string | Uint8Array, headers = "Content-Type: application/json\r\n") {
    const bytes = Buffer.from(body);
    const head = `POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}Content-Length: ${bytes.length}\r\n\r\n`;
    const { status, body: text } = readAnswer(await sendBytes(port, head, bytes));
    return { status, text, error: status === 200 ? {} : errorIn(text) };
  }

  describe("types", () => {
    for (const type of [
      "application/json",
      "application/json; charset=utf-8",
      'Application/JSON;charset="UTF-8"',
      "application/json;",
    ]) {
      it(`takes ${type}`, async () => {
        expect((await post("{}", `Content-Type: ${type}\r\n`)).status).to.equal(200);
      });
    }

    it("S23: answers a body without a type with 415, in one piece or in chunks", async () => {
      const { status, error } = await post('{"a":1}', "");
      expect([status, error.code]).to.deep.equal([415, "unsupported_media_type"]);
      expect(error.message).to.include("Content-Type: application/json");
      const head = "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
      const chunked = await sendBytes(port, `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
      expect(readAnswer(chunked).status).to.equal(415);
    });

    it("S23: needs no type where the body is empty", async () => {
      expect(await post("", "")).to.include({ status: 200, text: '{"got":{}}' });
      const head = "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
      const empty = { status: 200, body: '{"got":{}}' };
      expect(readAnswer(await sendBytes(port, `${head}\r\n`))).to.include(empty);
      const chunked = await sendBytes(port, `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
      expect(readAnswer(chunked)).to.include(empty);
    });

    const refused = [
      "text/plain",
      "text/plain;charset=UTF-8",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
      "application/json; charset=utf-16",
      "text/json",
      "application/x+json",
      "application/json, text/plain",
    ];
    for (const type of refused) {
      it(`CVE-2024-36857: answers ${type} with 415, whatever the body holds`, async () => {
        const { status, error } = await post(
          '["file:/../../etc/passwd","utf-8"]',
          `Content-Type: ${type}\r\n`,
        );
        expect(status).to.equal(415);
        expect(error.code).to.equal("unsupported_media_type");
      });
    }

    it("answers a compressed body with 415", async () => {
      expect((await post("{}", "Content-Encoding: gzip\r\n")).status).to.equal(415);
    });

    it("answers an empty body of another type with 415", async () => {
      expect((await post("", "Content-Type: text/plain\r\n")).status).to.equal(415);
    });
  });

  describe("sizes", () => {
    it("takes a body of exactly the limit", async () => {
      const text = JSON.stringify("x".repeat(limit - 2));
      expect((await post(text)).status).to.equal(200);
    });

    it("answers a longer one with 413, by its length, before any of it came", async () => {
      const answer = await sendBytes(
        port,
        `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${10 ** 15}\r\n\r\n`,
      );
      expect(readAnswer(answer).status).to.equal(413);
      expect(answer).to.match(/^Connection: close/im);
      expect(errorIn(readAnswer(answer).body)).to.include({
        code: "request_too_large",
        type: "invalid_request_error",
      });
    });

    it("stops reading one of unknown length at the limit", async () => {
      const piece = `400\r\n${"x".repeat(1024)}\r\n`;
      const answer = await sendBytes(
        port,
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        piece.repeat(5),
      );
      expect(readAnswer(answer).status).to.equal(413);
    });

    it("takes one that comes in many pieces, cut inside a character", async () => {
      const bytes = Buffer.from('{"a":"héé😀"}');
      const pieces = [...bytes].map((byte) => Buffer.from([byte]));
      const head = `POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`;
      expect(readAnswer(await sendBytes(port, head, ...pieces)).body).to.equal('{"got":{"a":"héé😀"}}');
    });
  });

  describe("JSON", () => {
    const broken: readonly [name: string, body: string | Uint8Array][] = [
      ["cut", '{"a":'],
      ["with a tail", "{} {}"],
      ["with a comment", "{} // x"],
      ["with single quotes", "{'a':1}"],
      ["NaN", "NaN"],
      ["with a control character", '{"a":"\n"}'],
      ["only white space", "  "],
      ["UTF-16", Buffer.from('{"a":1}', "utf16le")],
      ["UTF-16 with a mark", Buffer.from('\uFEFF{"a":1}', "utf16le")],
      ["not UTF-8", Buffer.from([0x22, 0xff, 0x22])],
      ["an overlong form", Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
      ["a surrogate in UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ];
    for (const [name, body] of broken) {
      it(`B2: refuses a body that is ${name}`, async () => {
        const { status, error } = await post(body);
        expect(status).to.equal(400);
        expect(error.code).to.equal("invalid_json");
      });
    }

    const taken: readonly [body: string, got: string][] = [
      ["\uFEFF[1]", "[1]"],
      ['{"a":1,"a":2}', '{"a":2}'],
      ["-0", "0"],
      ["9007199254740993", "9007199254740992"],
      ['"\\ud800"', '"\\ud800"'],
      ["null", "null"],
      ["", "{}"],
    ];
    for (const [body, got] of taken) {
      it(`B2: reads ${JSON.stringify(body)} as ${got}`, async () => {
        expect(await post(body)).to.include({ status: 200, text: `{"got":${got}}` });
      });
    }

    it("takes 64 levels and refuses the 65th, naming its place", async () => {
      expect((await post(nested(64))).status).to.equal(200);
      const { error } = await post(nested(65));
      expect(error).to.include({ code: "invalid_value", param: "[0]".repeat(64).slice(0, 200) });
      expect((await post(`{"a":{"b":${nested(63)}}}`)).error.param).to.match(/^a\.b\[0\]/);
    });

    it("refuses 200,000 levels without falling over", async () => {
      await closeDoors();
      ({ port } = await openDoor([echo]));
      const start = performance.now();
      expect((await post(nested(200_000))).error.code).to.equal("invalid_value");
      expect(performance.now() - start).to.be.below(1000);
    });
  });

  describe("names of prototypes", () => {
    const refused: readonly [body: string, param: string][] = [
      ['{"__proto__":{"isAdmin":true}}', "__proto__"],
      ['{"\\u005f\\u005fproto__":1}', "__proto__"],
      ['{"a":[{"b":{"__proto__":[]}}]}', "a[0].b.__proto__"],
      ['{"constructor":{"prototype":{"isAdmin":true}}}', "constructor"],
      ['{"a":{"constructor":{"prototype":1}}}', "a.constructor"],
    ];
    for (const [body, param] of refused) {
      it(`B12: refuses ${body}`, async () => {
        const { status, error } = await post(body);
        expect(status).to.equal(400);
        expect(error).to.include({ code: "invalid_value", param });
        expect(({} as { isAdmin?: boolean }).isAdmin).to.equal(undefined);
      });
    }

    it("takes the words where they are harmless", async () => {
      for (const body of [
        '{"constructor":"Smith"}',
        '{"prototype":{"a":1}}',
        '{"a":"__proto__"}',
        '{"constructor":null}',
      ]) {
        expect((await post(body)).status).to.equal(200);
      }
    });
  });
});

import { once } from "node:events";
import { createServer } from "node:net";
import { expect } from "chai";
import {
  frame,
  jsonReply,
  mockProviderServer,
  type MockProviderServer,
  type MockReply,
} from "@pergola/sdk/testing";
import { ask, key, open, type Answer } from "./support.ts";

describe("refusals and connection failures (F9)", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer();
  });
  afterEach(() => server.close());

  async function answered(reply: MockReply): Promise<Answer> {
    server.play(reply);
    return ask(await open("custom", { baseUrl: server.baseUrl, name: "Vendor" }));
  }

  const refusal = (headers: Readonly<Record<string, string>>): MockReply =>
    jsonReply({ error: { message: "slow down" } }, { status: 429, headers });

  for (const [header, seconds] of Object.entries({
    "7": 7,
    "0.5": 1,
    "1e9": 1_000_000_000,
    "Thu, 01 Jan 1970 00:00:30 GMT": 30,
    "-3": 0,
  })) {
    it(`reads Retry-After: ${header}`, async () => {
      expect((await answered(refusal({ "retry-after": header }))).error).to.include({
        code: "provider_rate_limited",
        retryAfter: seconds,
      });
    });
  }

  for (const header of ["", "soon"]) {
    it(`passes over Retry-After: "${header}"`, async () => {
      expect((await answered(refusal(header === "" ? {} : { "retry-after": header }))).error).to.include({
        retryAfter: undefined,
      });
    });
  }

  const words: Readonly<Record<string, readonly [body: string, message: string]>> = {
    "an error object": [
      '{"error":{"message":"No such model","code":"model_not_found"}}',
      "Vendor answered 404: No such model (model_not_found)",
    ],
    "an error text": ['{"error":"model is loading"}', "Vendor answered 404: model is loading"],
    "a bare message": ['{"object":"error","message":"bad"}', "Vendor answered 404: bad"],
    "a list of errors": ['[{"error":{"message":"first"}}]', "Vendor answered 404: first"],
    "a web page": [
      "<html><head><title>404</title></head><body><h1>Not found</h1></body></html>",
      "Vendor answered 404: 404 Not found",
    ],
    "plain text": ["nothing here\n", "Vendor answered 404: nothing here"],
    "no body": ["", "Vendor answered 404"],
  };
  for (const [what, [body, message]] of Object.entries(words)) {
    it(`says what ${what} says`, async () => {
      expect((await answered({ status: 404, body: [body] })).error).to.have.property("message", message);
    });
  }

  it("refuses a redirect that the door handed on", async () => {
    expect(
      (await answered({ status: 302, headers: { location: "https://evil.example/" }, body: [] })).error,
    ).to.include({
      code: "provider_error",
    });
  });

  it("tells time limits of the door from connection failures", async () => {
    for (const [cause, code] of Object.entries({
      UND_ERR_HEADERS_TIMEOUT: "provider_timeout",
      UND_ERR_CONNECT_TIMEOUT: "provider_error",
    })) {
      const fetch = async (): Promise<never> =>
        Promise.reject(Object.assign(new Error(cause), { code: cause }));
      expect((await ask(await open("custom", { baseUrl: server.baseUrl }, { fetch }))).error).to.include({
        code,
      });
    }
  });

  const unreachable = async (baseUrl: string): Promise<unknown> =>
    (await ask(await open("custom", { baseUrl }))).error;

  it("tells a name that leads nowhere, a closed port and a TLS failure as connection failures", async () => {
    const plain = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")).listen(
      0,
      "127.0.0.1",
    );
    await once(plain, "listening");
    const { port } = plain.address() as { port: number };
    for (const address of [
      "http://no-such-host.invalid/v1",
      "http://127.0.0.1:1/v1",
      `https://127.0.0.1:${port}/v1`,
    ]) {
      expect(await unreachable(address), address)
        .to.include({ code: "provider_error" })
        .and.have.nested.property("details.retryable", true);
    }
    plain.close();
  });

  it("never tells the key, whatever the other side echoes", async () => {
    const forms = [
      key,
      `Bearer ${key}`,
      encodeURIComponent(key),
      Buffer.from(key).toString("base64"),
      "my-secret-header",
    ];
    const secret = {
      apiKey: key,
      headers: { "X-Secret": "my-secret-header", "X-Auth": "Token my-secret-header" },
      baseUrl: server.baseUrl,
    };
    for (const form of forms) {
      const replies: readonly MockReply[] = [
        ...[400, 401, 403, 404, 429, 500, 502].map((status) =>
          jsonReply({ error: { message: `bad key ${form}` } }, { status }),
        ),
        { status: 401, body: [`authorization: ${form}`] },
        { body: [frame({ error: { message: form } })] },
        { body: [`data: {"${form}\n\n`] },
        { body: [`<html>${form}</html>`] },
        jsonReply({ detail: form }),
      ];
      for (const reply of replies) {
        server.play(reply);
        const { error } = await ask(await open("custom", secret));
        expect(error).to.be.an("error");
        for (const hidden of forms) expect(JSON.stringify(error) + String(error)).to.not.include(hidden);
      }
    }
  });
});

import { once } from "node:events";
import net from "node:net";
import { expect } from "chai";
import type { ServerEvent } from "@pergola/sdk";
import { closeDoors, openDoor, readAnswer, sendBytes } from "./open-door.ts";
import { Source, route, streamOf, all } from "./event-source.ts";

/** The text after the headers, chunk framing taken off. */
async function textOf(url: string): Promise<string> {
  return (await fetch(`${url}/events`)).text();
}

describe("streams of events", () => {
  afterEach(closeDoors);

  it("S02, S10: have the headers of event streams, and those of the answer", async () => {
    const { url } = await openDoor([
      route(() => ({ events: all({ data: "1" }), headers: { "X-Run-Id": "r" } })),
    ]);
    const answer = await fetch(`${url}/events`);
    expect(answer.status).to.equal(200);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).to.include({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      connection: "keep-alive",
      "x-accel-buffering": "no",
      "x-run-id": "r",
      "x-content-type-options": "nosniff",
    });
    expect(headers).to.not.have.property("content-length");
    await answer.text();
  });

  it("write each event as one line of data and an empty line", async () => {
    const { url } = await streamOf(all({ data: '{"a":1}' }, { data: "[DONE]" }));
    expect(await textOf(url)).to.equal('data: {"a":1}\n\ndata: [DONE]\n\n');
  });

  it("write id and event where there are any", async () => {
    const { url } = await streamOf(all({ id: "7", event: "state", data: "{}" }, { id: "8", data: "" }));
    expect(await textOf(url)).to.equal("id: 7\nevent: state\ndata: {}\n\nid: 8\ndata: \n\n");
  });

  it("CVE-2026-44214: no line break in a field forges another event", async () => {
    const { url } = await streamOf(
      all({ id: "1\ndata: [DONE]\n\n", event: "a\r\nid: 9", data: "{\n\ndata: [DONE]\r\n\r\n}" }),
    );
    expect(await textOf(url)).to.equal("id: 1 data: [DONE] \nevent: a id: 9\ndata: { data: [DONE] }\n\n");
  });

  it("S01: send the headers and each event at once", async () => {
    const source = new Source();
    const { url } = await streamOf(source);
    const { body } = await fetch(`${url}/events`);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    for (const text of ["one", "two"]) {
      source.send(text);
      expect((await reader.read()).value).to.equal(`data: ${text}\n\n`);
    }
    source.end();
    expect((await reader.read()).done).to.equal(true);
  });

  it("keep code points whole however long the text is", async () => {
    const long = "añ😀".repeat(100_000);
    const { url } = await streamOf(all(...Array.from({ length: 10 }, () => ({ data: long }))));
    expect((await textOf(url)) === `data: ${long}\n\n`.repeat(10)).to.equal(true);
  });

  it("send many events that are ready at once in few pieces", async () => {
    const count = 200;
    const { port } = await streamOf(
      all(...Array.from({ length: count }, (_, index) => ({ data: String(index) }))),
    );
    const socket = net.connect(port, "127.0.0.1");
    let pieces = 0;
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => {
      pieces++;
      text += piece;
    });
    socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    await once(socket, "close");
    expect(text.match(/data: /g)).to.have.lengthOf(count);
    expect(pieces).to.be.below(count / 4);
  });

  it("S04: send a comment after some seconds of silence, and again", async () => {
    const source = new Source();
    const { url } = await streamOf(source, { preferences: { "stream.ping_seconds": 0.05 } });
    const { body } = await fetch(`${url}/events`);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let round = 0; round < 2; round++) expect((await reader.read()).value).to.equal(": ping\n\n");
    source.send("x");
    source.end();
    let rest = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) rest += piece.value;
    expect(rest).to.match(/^(: ping\n\n)*data: x\n\n$/);
  });

  it("send no comment while events come", async () => {
    async function* busy(): AsyncGenerator<ServerEvent> {
      for (let round = 0; round < 8; round++) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        yield { data: "x" };
      }
    }
    const { url } = await streamOf(busy(), { preferences: { "stream.ping_seconds": 0.25 } });
    expect(await textOf(url)).to.equal("data: x\n\n".repeat(8));
  });

  it("begin nothing for HEAD, and end", async () => {
    let begun = false;
    const events = { [Symbol.asyncIterator]: () => ((begun = true), new Source()[Symbol.asyncIterator]()) };
    const { port } = await streamOf(events);
    const answer = await sendBytes(
      port,
      "HEAD /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    expect(answer).to.match(/^Content-Type: text\/event-stream; charset=utf-8$/m);
    expect(begun).to.equal(false);
  });

  it("are not mixed with an error when the client sends what is no HTTP meanwhile", async () => {
    const source = new Source();
    const { port } = await streamOf(source);
    source.send("first");
    const socket = net.connect(port, "127.0.0.1");
    socket.write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    await once(socket, "data");
    socket.write("no HTTP\r\n\r\n");
    await once(socket, "close");
    expect(text.match(/HTTP\/1\.1/g)).to.have.lengthOf(1);
    await source.returned.promise;
  });

  it("use the connection again after their end", async () => {
    const { port } = await streamOf(all({ data: "1" }));
    const request = "GET /events HTTP/1.1\r\nHost: localhost\r\n";
    const answer = await sendBytes(port, `${request}\r\n${request}Connection: close\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 200/g)).to.have.lengthOf(2);
  });

  it("end without their end when the source fails, and the fault is logged", async () => {
    async function* failing(): AsyncGenerator<ServerEvent> {
      yield { data: "1" };
      await new Promise(setImmediate);
      throw new Error("secret");
    }
    const { port, logged } = await streamOf(failing());
    const answer = await sendBytes(port, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(readAnswer(answer).body).to.include("data: 1\n\n");
    expect(answer).to.not.match(/0\r\n\r\n$/);
    expect(answer).to.not.include("secret");
    expect(logged.map(({ fields }) => (fields["error"] as Error).message)).to.deep.equal(["secret"]);
  });

  it("are a proper error when the source was never begun", async () => {
    const { url } = await openDoor([
      route(() => {
        throw new Error("early");
      }),
    ]);
    const answer = await fetch(`${url}/events`);
    expect(answer.status).to.equal(500);
    expect(answer.headers.get("content-type")).to.equal("application/json; charset=utf-8");
  });
});

describe("text in chunks", () => {
  afterEach(closeDoors);

  it("comes as it is, with its type, and without comments", async () => {
    async function* chunks(): AsyncGenerator<string> {
      yield "é";
      await new Promise((resolve) => setTimeout(resolve, 120));
      yield "\r\n\n😀";
    }
    const { url } = await openDoor(
      [route(() => ({ status: 200, chunks: chunks(), contentType: "text/plain; charset=utf-8" }))],
      {
        preferences: { "stream.ping_seconds": 0.05 },
      },
    );
    const answer = await fetch(`${url}/events`);
    expect(answer.headers.get("content-type")).to.equal("text/plain; charset=utf-8");
    expect(await answer.text()).to.equal("é\r\n\n😀");
  });
});

import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect } from "chai";
import { serve } from "../serve-stdio.ts";

interface Sent {
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** What the service streams in answer. */
  readonly stream: ReadableStreamDefaultController<Uint8Array>;
}

const revision = "2026-07-28";
const envelope = {
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const call = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "notes", arguments: {}, _meta: envelope },
});

/** A client at one end and a service at the other. */
function scene() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const sent: Sent[] = [];
  const arrived = new PassThrough({ objectMode: true });
  const fetch = async (_: string | URL, init: RequestInit = {}): Promise<Response> => {
    let stream!: Sent["stream"];
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
    const signal = init.signal ?? new AbortController().signal;
    signal.addEventListener("abort", () => stream.error(signal.reason));
    const one = { headers: new Headers(init.headers), signal, stream };
    sent.push(one);
    arrived.write(one);
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const end = new AbortController();
  const url = "http://localhost/mcp";
  const served = serve({ url, fetch, input, output, signal: end.signal, report: () => undefined });
  return {
    say: (message: object) => void input.write(`${JSON.stringify(message)}\n`),
    heard: async () => JSON.parse(String((await once(output, "data"))[0])) as Record<string, unknown>,
    next: async () => (await once(arrived, "data"))[0] as Sent,
    end: async () => {
      end.abort();
      await served;
    },
    sent,
  };
}

const event = (message: object): Uint8Array =>
  new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`);

describe("the messages of a client without a session, handed on", () => {
  let ends: ReturnType<typeof scene>;
  beforeEach(() => (ends = scene()));
  afterEach(() => ends.end());

  it("say in headers what the body says, and their answers come back", async () => {
    ends.say(call(1));
    const { headers, stream } = await ends.next();
    const named = ["mcp-protocol-version", "mcp-method", "mcp-name"].map((name) => headers.get(name));
    expect(named).to.deep.equal([revision, "tools/call", "notes"]);
    const answer = { jsonrpc: "2.0", id: 1, result: { resultType: "complete", content: [] } };
    const heard = ends.heard();
    stream.enqueue(event(answer));
    stream.close();
    expect(await heard).to.deep.equal(answer);
  });

  it("end at the service when the client takes them back, and only those", async () => {
    ends.say(call(1));
    const first = await ends.next();
    ends.say(call(2));
    const second = await ends.next();
    const aborted = once(first.signal, "abort");
    ends.say({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1, _meta: envelope },
    });
    await aborted;
    expect(second.signal.aborted).to.equal(false);
    const heard = ends.heard();
    second.stream.enqueue(event({ jsonrpc: "2.0", id: 2, result: {} }));
    expect(await heard).to.have.property("id", 2);
    expect(ends.sent).to.have.length(2);
  });

  it("are answered with an error where the service breaks off", async () => {
    ends.say(call(1));
    const { stream } = await ends.next();
    const heard = ends.heard();
    stream.close();
    expect(await heard).to.deep.equal({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32603, message: "The service broke off its answer." },
    });
  });
});

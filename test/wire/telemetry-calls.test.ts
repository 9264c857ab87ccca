import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { jsonReply, temporaryFolder, type MockReply, type MockRequest } from "@pergola/sdk/testing";
import { expect } from "chai";
import { root } from "../architecture/tree.ts";
import type { Stage } from "../support/host.ts";
import { openLab } from "../support/lab-stage.ts";
import { otlpReceiver, type OtlpReceiver, type ReceivedSpan } from "../support/otlp-receiver.ts";
import { verifies } from "../support/verifies.ts";

const script = path.join(root, "plugins/bridge-mcp-client/test/servers/stateless-server.mjs");

/** A trace of its own for each request, by a digit. */
const traceOf = (digit: string): string => digit.repeat(32);
const spanAbove = "b7ad6b7169203331";
const traceparent = (digit: string, flags = "01"): string => `00-${traceOf(digit)}-${spanAbove}-${flags}`;

/** A vector for each text. */
function vectors({ body }: MockRequest): MockReply {
  const { input } = body as { readonly input: readonly string[] };
  const data = input.map((_, index) => ({ object: "embedding", index, embedding: [0.25, 0.5, index] }));
  return jsonReply({ object: "list", data });
}

interface Seen {
  readonly traceparent?: string;
  readonly header: string | null;
}

/** Everything happens once, before the tests look at what came of it. */
describe("telemetry of what is no run", () => {
  let stage: Stage;
  let receiver: OtlpReceiver;
  let server: ChildProcess;
  /** What the MCP server was told, by the digit of the trace. */
  const seen: Record<string, Seen> = {};

  const embed = (route: string, body: object, trace?: string) =>
    stage.host.request(
      "POST",
      route,
      { model: "custom/test", ...body },
      trace === undefined ? {} : { traceparent: trace },
    );

  const seeing = { name: "mcp_remote", arguments: { operation: "meta" } };
  const seenIn = (answer: unknown): Seen =>
    JSON.parse((answer as { content: { text: string }[] }).content[0]?.text ?? "") as Seen;

  /** A client that speaks the revision 2026-07-28. */
  async function callByMeta(_meta: object, headers: Record<string, string> = {}): Promise<unknown> {
    const client = new Client({ name: "new", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const options = { requestInit: { headers } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${stage.host.url}/mcp`), options));
    expect(client.getProtocolEra()).to.equal("modern");
    const answer = await client.callTool({ ...seeing, _meta: { ..._meta } });
    await client.close();
    return answer;
  }

  /** One that opens a session, and knows of no trace in messages. */
  async function callByHeader(headers: Record<string, string>): Promise<unknown> {
    const client = new OlderClient({ name: "old", version: "1" });
    const options = { requestInit: { headers } };
    await client.connect(new OlderTransport(new URL(`${stage.host.url}/mcp`), options));
    const answer = await client.callTool(seeing);
    await client.close();
    return answer;
  }

  async function searchByHand(trace: string): Promise<void> {
    const workingDirectory = temporaryFolder();
    writeFileSync(path.join(workingDirectory, "bread.txt"), "How to bake a loaf.\n");
    const answer = await stage.host.request(
      "POST",
      "/debug/mcp/execute",
      {
        tool: "file_operations",
        arguments: { operation: "semantic_search", query: "loaf" },
        workingDirectory,
        isUserInitiated: true,
      },
      { traceparent: trace },
    );
    const body = (await answer.json()) as { readonly success: boolean; readonly result: string };
    expect(body.success, body.result).to.equal(true);
  }

  before(async () => {
    receiver = await otlpReceiver();
    server = spawn(process.execPath, [script, "http"], { stdio: "pipe" });
    const [port] = (await once(server.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    const url = `http://127.0.0.1:${port.toString().trim()}/mcp`;
    stage = await openLab(vectors, {
      settings: {
        "telemetry.otlp_url": receiver.url,
        "telemetry.propagate": true,
        "memory.embedding_model": "custom/test",
        "models.overrides": { "custom/test": { kind: "embedding" } },
        mcp: { servers: { remote: { url, effects: { meta: "read" } } } },
      },
    });
    await embed("/v1/embeddings", { input: ["a text", "another text"] }, traceparent("1"));
    await embed("/api/embed", { input: "a text" }, traceparent("2"));
    await embed("/api/embeddings", { prompt: "a text" });
    await embed("/v1/embeddings", { input: "a text" }, traceparent("3", "00"));
    await searchByHand(traceparent("4"));
    seen["5"] = seenIn(await callByMeta({ traceparent: traceparent("5") }));
    seen["6"] = seenIn(await callByHeader({ traceparent: traceparent("6") }));
    seen["7"] = seenIn(
      await callByMeta({ traceparent: traceparent("7") }, { traceparent: traceparent("8") }),
    );
    seen["9"] = seenIn(await callByMeta({ traceparent: traceparent("9", "00") }));
    seen["none"] = seenIn(await callByMeta({}));
    stage.provider.play(jsonReply({ error: { message: "no such thing" } }, { status: 400 }));
    await embed("/v1/embeddings", { input: "a text" }, traceparent("a"));
    await stage.end();
  });
  after(() => {
    server.kill("SIGKILL");
    receiver.close();
  });

  const spansIn = (digit: string): readonly ReceivedSpan[] =>
    receiver.spans().filter(({ traceId }) => traceId === traceOf(digit));
  const only = (digit: string): ReceivedSpan => {
    const spans = spansIn(digit);
    expect(spans, `trace ${digit}`).to.have.lengthOf(1);
    return spans[0] as ReceivedSpan;
  };

  /** What the provider got as traceparent. */
  const sentIn = (digit: string): readonly string[] =>
    stage.provider.requests
      .map(({ headers }) => String(headers["traceparent"]))
      .filter((sent) => sent.includes(traceOf(digit)));

  verifies("telemetry:spans", "tells of embeddings, by every route", () => {
    for (const digit of ["1", "2"]) {
      const span = only(digit);
      expect(span).to.include({ name: "embeddings test", kind: 3, parentSpanId: spanAbove, flags: 0x301 });
      expect(span.attributes).to.deep.include({
        "gen_ai.operation.name": "embeddings",
        "gen_ai.provider.name": "custom",
        "gen_ai.request.model": "test",
        "gen_ai.embeddings.dimension.count": 3,
      });
      expect(Number(span.attributes["gen_ai.usage.input_tokens"])).to.be.above(0);
    }
    const alone = receiver.spans().filter(({ name, parentSpanId: parent }) => /^embed/.test(name) && !parent);
    expect(alone).to.not.deep.equal([]);
    expect(JSON.stringify(receiver.spans())).to.not.include("a text");
  });

  verifies("telemetry:spans", "tells of embeddings that failed", () => {
    const { attributes } = only("a");
    expect(attributes["error.type"]).to.equal("provider_rejected");
    expect(attributes).to.not.have.property("gen_ai.embeddings.dimension.count");
  });

  verifies("telemetry:spans", "has the embeddings of a tool below its call", () => {
    const [tool, ...others] = spansIn("4").toSorted((one) => (one.name.startsWith("execute_tool") ? -1 : 1));
    expect(tool).to.include({ name: "execute_tool file_operations", parentSpanId: spanAbove });
    expect(others).to.not.deep.equal([]);
    for (const span of others)
      expect(span).to.include({ name: "embeddings test", parentSpanId: tool?.spanId });
  });

  verifies("telemetry:trace", "is not sent for a trace that is not recorded", () => {
    expect([...spansIn("3"), ...spansIn("9")]).to.deep.equal([]);
  });

  verifies("telemetry:trace", "has a call by MCP below the span of its _meta, else of its header", () => {
    for (const digit of ["5", "6", "7"])
      expect(only(digit)).to.include({
        name: "execute_tool mcp_remote",
        parentSpanId: spanAbove,
        flags: 0x301,
      });
    expect(spansIn("8")).to.deep.equal([]);
  });

  verifies("telemetry:propagate", "hands the trace on through both bridges of MCP", () => {
    for (const digit of ["5", "6", "7"]) {
      const sent = `00-${traceOf(digit)}-${only(digit).spanId}-01`;
      expect(seen[digit]).to.include({ traceparent: sent, header: sent });
    }
    expect(seen["9"]?.header).to.match(new RegExp(`^00-${traceOf("9")}-[0-9a-f]{16}-00$`));
    const own = seen["none"]?.header?.split("-")[1];
    expect(receiver.spans().filter(({ traceId }) => traceId === own)).to.have.lengthOf(1);
  });

  verifies("telemetry:propagate", "hands the trace on with embeddings, as the span of their call", () => {
    for (const digit of ["1", "2", "a"])
      expect(sentIn(digit)).to.deep.equal([`00-${traceOf(digit)}-${only(digit).spanId}-01`]);
    const below = spansIn("4").filter(({ name }) => name === "embeddings test");
    expect(sentIn("4")).to.have.members(below.map(({ spanId }) => `00-${traceOf("4")}-${spanId}-01`));
    expect(sentIn("3").join()).to.match(new RegExp(`^00-${traceOf("3")}-[0-9a-f]{16}-00$`));
  });

  verifies("telemetry:spans", "measures embeddings", () => {
    const sent = receiver.received.find(({ path: route }) => route === "/v1/metrics")?.text ?? "";
    expect(sent).to.include('"stringValue":"embeddings"');
  });
});

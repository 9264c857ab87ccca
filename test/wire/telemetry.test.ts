import path from "node:path";
import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { read, root } from "../architecture/tree.ts";
import { agentRuns, cast, chatWith, spawning } from "../support/agent-stage.ts";
import { ask, type Stage } from "../support/host.ts";
import {
  calling,
  eachItsLab,
  eventually,
  labCall,
  openLab,
  saying,
  type ChatAnswer,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { canary } from "../support/canary.ts";
import { otlpReceiver, type OtlpReceiver, type ReceivedSpan } from "../support/otlp-receiver.ts";
import { verifies } from "../support/verifies.ts";

const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
const header = (flags = "01") => ({ traceparent: `00-${traceId}-${spanId}-${flags}` });
const script = path.join(root, "plugins/bridge-mcp-client/test/servers/sample-server.mjs");
const mcp = {
  servers: {
    sample: { command: process.execPath, args: [script], effects: { environment: "read" } },
  },
};
const seeing = { name: "mcp_sample", arguments: { operation: "environment" } };

interface Outcome {
  readonly runId: string;
  readonly status: number;
}

/** Everything happens once, before the tests look at what came of it. */
describe("telemetry", () => {
  let stage: Stage;
  let receiver: OtlpReceiver;
  const runs: Record<string, Outcome> = {};
  /** What the provider and the MCP server were told, by the same names. */
  const told: Record<string, { readonly header: unknown; readonly mcp: unknown }> = {};

  const set = async (values: object): Promise<void> =>
    void expect((await stage.host.json("PATCH", "/api/preferences", values)).status).to.equal(200);

  async function chat(name: string, text: string, headers: Readonly<Record<string, string>> = {}, more = {}) {
    const reply = await stage.host.request("POST", "/api/chat/completions", ask(text, more), headers);
    const body = (await reply.json()) as ChatAnswer & { readonly runId?: string };
    runs[name] = { runId: body.service_metadata?.run_id ?? body.runId ?? "", status: reply.status };
    return body;
  }

  /** A run that calls an MCP server. */
  async function seenBy(name: string): Promise<void> {
    const before = stage.provider.requests.length;
    stage.provider.play(cast([calling(seeing), saying("Seen.")]));
    await chat(name, "Look");
    const result = stage.provider.requests.at(-1)?.text ?? "";
    told[name] = {
      header: stage.provider.requests[before]?.headers["traceparent"],
      mcp: /traceparent\W+(00-[\w-]+)/.exec(result)?.[1],
    };
  }

  before(async () => {
    receiver = await otlpReceiver();
    stage = await openLab([], { settings: { "telemetry.otlp_url": `${receiver.url}/`, mcp } });
    lab.reset();
    stage.provider.play(cast([calling(labCall("peek", "a file")), saying("A secret answer.")]));
    await chat("plain", "A secret question");
    stage.provider.play(saying("Yes."));
    await chat("under", "Go", header());
    await chat("background", "Go", header(), { background: true });
    await chat("unrecorded", "Go", header("00"));
    await chat("odd", "Go", { traceparent: "00-zz-1-1" });
    stage.provider.play(cast([spawning({ task: "Look", wait: true }), saying("Done.")]));
    await chatWith(stage, "parent");
    stage.provider.play(chatReply({ error: { status: 400, message: "no such thing" } }));
    await chat("failed", "Go");
    await seenBy("off");
    await set({ "telemetry.propagate": true });
    await seenBy("on");
    await set({ "telemetry.propagate": false, "telemetry.content": true });
    stage.provider.play(cast([calling(labCall("peek", canary.value)), saying("An open answer.")]));
    await chat("content", "An open question");
    const [agent] = await agentRuns(stage.host);
    runs["agent"] = { runId: agent?.id ?? "", status: 200 };
    await stage.end();
  });
  after(() => receiver.close());

  const spansOf = (name: string): readonly ReceivedSpan[] => {
    const spans = receiver.spans();
    const run = spans.find(({ attributes }) => attributes["pergola.run.id"] === runs[name]?.runId);
    return run === undefined ? [] : [run, ...spans.filter((span) => span.parentSpanId === run.spanId)];
  };

  verifies("telemetry:spans", "tell of a run, its model calls and its tool calls as one trace", () => {
    const [run, ...children] = spansOf("plain");
    expect(run).to.not.have.property("parentSpanId");
    expect(children.map(({ name }) => name).toSorted()).to.deep.equal([
      "chat test",
      "chat test",
      "execute_tool lab",
    ]);
    for (const child of children) {
      expect(child.traceId).to.equal(run?.traceId);
      expect(BigInt(child.endTimeUnixNano) >= BigInt(child.startTimeUnixNano)).to.equal(true);
    }
    expect(run?.attributes).to.deep.include({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "custom",
      "gen_ai.request.model": "test",
      "pergola.run.kind": "chat",
      "pergola.run.completion_reason": "workflow_complete",
      "pergola.run.iterations": 2,
    });
    const first = children.find(({ name }) => name === "chat test");
    expect(first?.attributes["gen_ai.response.finish_reasons"]).to.deep.equal(["tool_calls"]);
    expect(first?.attributes["gen_ai.response.model"]).to.equal("test");
    expect(first?.attributes["gen_ai.response.time_to_first_chunk"]).to.be.a("number");
    expect(first?.attributes["gen_ai.usage.input_tokens"]).to.be.above(0);
    const tool = children.find(({ name }) => name === "execute_tool lab");
    expect(tool?.attributes).to.include({ "gen_ai.tool.name": "lab", "pergola.tool.operation": "peek" });
    expect(new Set(receiver.spans().map((span) => span.spanId)).size).to.equal(receiver.spans().length);
    expect(receiver.metrics()).to.include.members([
      "gen_ai.client.operation.duration",
      "gen_ai.client.token.usage",
    ]);
  });

  verifies("telemetry:spans", "have a sub-agent below the call that started it, in the same trace", () => {
    const [agent, ...children] = spansOf("agent");
    const call = receiver.spans().find((span) => span.spanId === agent?.parentSpanId);
    const above = receiver.spans().find((span) => span.spanId === call?.parentSpanId);
    expect([call?.name, above?.name, children.map(({ name }) => name)]).to.deep.equal([
      "execute_tool agent_operations",
      "invoke_agent pergola",
      ["chat test"],
    ]);
    expect([agent, ...children, above].map((span) => span?.traceId)).to.deep.equal(
      Array(3).fill(call?.traceId),
    );
    expect(agent?.attributes["pergola.run.kind"]).to.equal("subagent");
  });

  verifies("telemetry:spans", "are what the documentation says", () => {
    const documented = read("docs/telemetry.md");
    const keys = new Set(receiver.spans().flatMap(({ attributes }) => Object.keys(attributes)));
    const names = [...keys, ...receiver.metrics()];
    expect(names.filter((name) => !documented.includes(`\`${name}\``))).to.deep.equal([]);
    const [, endpoint = ""] = /```yaml\nreceivers:[^`]* endpoint: (\S+)/.exec(documented) ?? [];
    expect(documented).to.include(`"otlp_url": "http://${endpoint}"`);
  });

  verifies("telemetry:spans", "say how a run failed", () => {
    const failed = receiver.spans().filter((span) => span.attributes["error.type"] === "provider_rejected");
    expect(failed.map(({ name }) => name).toSorted()).to.deep.equal(["chat test", "invoke_agent pergola"]);
    for (const { attributes } of failed)
      expect(attributes).to.not.have.any.keys("gen_ai.response.finish_reasons", "gen_ai.response.model");
  });

  verifies("telemetry:trace", "put a run below the span of its request, in the background too", () => {
    for (const name of ["under", "background"]) {
      const [run, call] = spansOf(name);
      expect(run).to.include({ traceId, parentSpanId: spanId, flags: 0x301 });
      expect(call).to.include({ traceId, parentSpanId: run?.spanId, flags: 0x101 });
    }
    expect(spansOf("odd")[0]?.traceId).to.match(/^[0-9a-f]{32}$/);
    expect(spansOf("odd")[0]).to.not.have.property("parentSpanId");
  });

  verifies("telemetry:trace", "send nothing of a trace that is not recorded", () => {
    expect(runs["unrecorded"]?.status).to.equal(200);
    expect(spansOf("unrecorded")).to.deep.equal([]);
  });

  verifies("telemetry:content", "have texts only with telemetry.content, and never a secret", () => {
    const texts = receiver.received.map(({ text }) => text).join("\n");
    expect(texts)
      .to.not.match(/A secret (question|answer)/)
      .and.not.include(canary.value);
    const [, ...children] = spansOf("content");
    const last = children.findLast(({ name }) => name === "chat test")?.attributes ?? {};
    const parsed = (key: string): unknown => JSON.parse(String(last[key]));
    const input = parsed("gen_ai.input.messages") as { readonly role: string; readonly parts: unknown[] }[];
    expect(input.map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool"]);
    expect(JSON.stringify(input[0]?.parts)).to.include("An open question");
    expect(input[1]?.parts[0]).to.include({ type: "tool_call", name: "lab" });
    expect(parsed("gen_ai.output.messages")).to.deep.equal([
      { role: "assistant", parts: [{ type: "text", content: "An open answer." }], finish_reason: "stop" },
    ]);
    expect(parsed("gen_ai.system_instructions")).to.be.an("array").that.is.not.empty;
    const tool = children.find(({ name }) => name === "execute_tool lab")?.attributes ?? {};
    expect(tool["gen_ai.tool.call.arguments"]).to.be.a("string");
    expect(tool["gen_ai.tool.call.result"]).to.be.a("string");
  });

  verifies(
    "telemetry:propagate",
    "hand the trace on to providers and MCP servers only where it is set",
    () => {
      expect(told["off"]).to.deep.equal({ header: undefined, mcp: undefined });
      const [run, ...children] = spansOf("on");
      const parents = [told["on"]?.header, told["on"]?.mcp].map((sent) => String(sent).split("-"));
      const ids = children.map((child) => child.spanId);
      for (const [version, trace, parent = "", flags] of parents) {
        expect([version, trace, flags]).to.deep.equal(["00", run?.traceId, "01"]);
        expect(ids).to.include(parent);
      }
      const [model, tool] = parents.map(([, , parent]) => children.find((child) => child.spanId === parent));
      expect([model?.name, tool?.name]).to.deep.equal(["chat test", "execute_tool mcp_sample"]);
    },
  );
});

describe("a receiver of telemetry", () => {
  const open = eachItsLab();
  let receiver: OtlpReceiver;
  afterEach(() => receiver.close());

  const hello = async (stage: Stage): Promise<void> => {
    stage.provider.play(saying("Hello."));
    const { status } = await stage.host.json("POST", "/api/chat/completions", ask("Hello"));
    expect(status).to.equal(200);
  };
  const counted = (stage: Stage, sample: RegExp): Promise<true> =>
    eventually(async () => {
      const text = await (await stage.host.request("GET", "/metrics")).text();
      return sample.test(text) || undefined;
    });

  verifies(
    "telemetry:receiver",
    "is asked again when it refuses for now, and not when it refuses",
    async () => {
      const answers = [503];
      receiver = await otlpReceiver(answers);
      const stage = await open({ settings: { "telemetry.otlp_url": receiver.url } });
      await hello(stage);
      await counted(stage, /\{outcome="sent"\} 2$/m);
      const [before, after] = receiver.received;
      expect(after).to.deep.equal(before);
      expect(before?.path).to.equal("/v1/traces");
      const soFar = receiver.received.length;
      answers.push(400);
      await hello(stage);
      await counted(stage, /\{outcome="dropped"\} [12]$/m);
      expect(receiver.received).to.have.lengthOf(soFar + 1);
    },
  );

  verifies(
    "telemetry:receiver",
    "that is away, or never answers, holds up neither run nor stop",
    async () => {
      receiver = await otlpReceiver([0, 0, 0]);
      for (const url of [receiver.url, "http://127.0.0.1:9"]) {
        const stage = await open({ settings: { "telemetry.otlp_url": url } });
        await hello(stage);
      }
    },
  );
});

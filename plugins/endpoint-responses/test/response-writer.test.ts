import { expect } from "chai";
import type { RunEvent, RunOutcome } from "@pergola/sdk";
import { itemId, responseIdOf, runIdOf } from "../ids.ts";
import { ResponseWriter } from "../response-writer.ts";

const runId = `run_${"0123456789abcdef".repeat(2)}`;
const id = responseIdOf(runId);

type Given = Exclude<RunEvent, { readonly type: "end" }>;

const outcome = (given: {
  readonly finishReason?: string;
  readonly completionReason?: string;
  readonly error?: Error | null;
}) =>
  ({
    finishReason: "stop",
    error: null,
    ...given,
    run: { completionReason: given.completionReason ?? "workflow_complete" },
  }) as RunOutcome;

function write(events: readonly Given[], ending: Parameters<typeof outcome>[0] = {}) {
  const writer = new ResponseWriter(id, { toolEvents: true });
  const written = [...events.flatMap((event) => writer.take(event)), ...writer.end(outcome(ending))];
  return {
    types: written.map(({ type }) => type),
    written,
    output: writer.output as readonly Readonly<Record<string, unknown>>[],
  };
}

const text = (words: string): Given => ({ type: "text", text: words });
const call: Given = {
  type: "caller_call",
  index: 0,
  call: { id: "call_1", name: "look", arguments: '{"at":"ä"}' },
};

describe("a response's events", () => {
  it("open an item, let it grow and close it", () => {
    const { types, output, written } = write([text("Good "), text("day.")]);
    expect(types).to.deep.equal([
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
    ]);
    const item = { id: itemId("msg", id, 0), type: "message", role: "assistant", status: "completed" };
    expect(output).to.deep.equal([
      { ...item, content: [{ type: "output_text", text: "Good day.", annotations: [], logprobs: [] }] },
    ]);
    expect(written[0]).to.deep.equal({
      type: "response.output_item.added",
      output_index: 0,
      item: { ...item, status: "in_progress", content: [] },
    });
    expect(written[2]).to.include({ item_id: item.id, output_index: 0, content_index: 0, delta: "Good " });
  });

  it("tell reasoning, text and calls apart, each an item of its own", () => {
    const { output, types } = write([{ type: "reasoning", text: "Hm." }, text("Looking."), call]);
    expect(output.map(({ type }) => type)).to.deep.equal(["reasoning", "message", "function_call"]);
    expect(output[0]?.["summary"]).to.deep.equal([{ type: "summary_text", text: "Hm." }]);
    expect(output[2]).to.include({
      call_id: "call_1",
      name: "look",
      arguments: '{"at":"ä"}',
      status: "completed",
    });
    expect(new Set(output.map((item) => item["id"])).size).to.equal(3);
    expect(types.slice(-4)).to.deep.equal([
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done",
    ]);
  });

  for (const [what, ending] of Object.entries({
    "was cut by its length": { finishReason: "length" },
    "was cancelled": { completionReason: "cancelled" },
    failed: { error: new Error("no") },
  })) {
    it(`leave the last item incomplete when the run ${what}`, () => {
      expect(write([text("Half a sen")], ending).output[0]).to.include({ status: "incomplete" });
    });
  }

  it("C8: begin a call when it begins, and close it when it is whole or the run has ended", () => {
    const begun: Given = { type: "caller_call_begun", index: 0, call: { id: "call_1", name: "look" } };
    const delta = (words: string): Given => ({ type: "caller_call_delta", index: 0, text: words });
    const pieces = write([text("Looking."), begun, delta('{"at":'), delta('"ä"}'), call]);
    expect(pieces.output).to.deep.equal(write([text("Looking."), call]).output);
    const deltas = pieces.written.filter(({ type }) => type === "response.function_call_arguments.delta");
    expect(deltas.map((each) => each["delta"])).to.deep.equal(['{"at":', '"ä"}']);
    const cut = write([begun, delta('{"at":')], { error: new Error("cut") });
    expect(cut.output.map(({ status }) => status)).to.deep.equal(["incomplete"]);
    const again = write([begun, delta('{"a'), begun, delta("{}"), call]);
    expect(again.output.map(({ status }) => status)).to.deep.equal(["incomplete", "completed"]);
  });

  it("carry a limit and a title on what clients pass over, unless tool events are off", () => {
    const limit: Given = { type: "limit_changed", maxIterations: 9 };
    expect(write([limit]).written).to.deep.equal([
      { type: "keepalive", event: { type: "limit_changed", max_iterations: 9 } },
    ]);
    expect(new ResponseWriter(id, { toolEvents: false }).take(limit)).to.deep.equal([]);
  });

  it("have the id of their run", () => {
    expect(runIdOf(id)).to.equal(runId);
    for (const other of ["", runId, "resp_", `${id}0`, "resp_../../x"])
      expect(runIdOf(other)).to.equal(undefined);
  });
});

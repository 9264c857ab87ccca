import { addBlock, definePlugin, type ModelCall, type RunContext } from "@pergola/sdk";
import { BlockPlace } from "@pergola/sdk/host";
import { questionOf } from "./question.ts";
import { PreparedQuestions, RunMemory } from "./run-memory.ts";

/**
 * What is remembered is looked up from a run's beginning on, beside everything else, and stands in all of its
 * calls, in the same place: their beginnings stay equal.
 */
export default definePlugin({
  register(host) {
    /** Before their first call. */
    const begun = new Map<string, RunMemory>();
    const runs = new Map<string, RunMemory>();
    const places = new Map<string, BlockPlace>();
    const prepared = new PreparedQuestions();
    const begin = (context: RunContext, text: string): RunMemory | undefined => {
      const { memory, conversations, preferences } = host.services;
      if (memory === undefined || !context.request.enableMemory) return undefined;
      const sources = { memory, conversations, preferences, log: host.log, prepared };
      return new RunMemory(sources, context, { text, begun: new Date(host.clock.now()).toISOString() });
    };
    const runOf = (call: ModelCall, context: RunContext): RunMemory | undefined => {
      const { runId } = context;
      const known = runs.get(runId);
      if (known !== undefined) return known;
      const text = questionOf(call);
      const early = begun.get(runId);
      const run = early?.text === text ? early : begin(context, text);
      begun.delete(runId);
      if (early !== run) early?.close();
      if (run !== undefined) runs.set(runId, run);
      return run;
    };
    const placeOf = (runId: string, call: ModelCall): BlockPlace => {
      const known = places.get(runId);
      if (known?.isIn(call) === true) return known;
      const place = new BlockPlace(call);
      places.set(runId, place);
      return place;
    };
    host.tap("shapeChat", (chat, context) => {
      const text = questionOf(context.request);
      const run = text === "" ? undefined : begin(context, text);
      if (run !== undefined) begun.set(context.runId, run);
      return chat;
    });
    host.tap(
      "shapeModelCall",
      async (call, context) => {
        if (call.raw !== undefined) return call;
        const text = (await runOf(call, context)?.block(context.iteration)) ?? "";
        if (text === "") return call;
        return addBlock(call, text, placeOf(context.runId, call).index);
      },
      { stage: "early" },
    );
    host.tap("runEnded", ({ id }) => {
      for (const known of [begun, runs]) known.get(id)?.close();
      for (const known of [begun, runs, places]) known.delete(id);
    });
  },
});

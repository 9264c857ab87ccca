import { definePlugin, type ModelCall, type RunContext } from "@pergola/sdk";
import { BlockPlace, SentBlocks } from "@pergola/sdk/host";
import type { MemoryBlock } from "./memory-block.ts";
import { questionOf } from "./question.ts";
import { PreparedQuestions, RunMemory } from "./run-memory.ts";

/** Says which memories the model is shown. */
function noteUse(lines: MemoryBlock["lines"], context: RunContext): void {
  for (const { memory } of lines) {
    if (memory === undefined) continue;
    const { item, similarity } = memory;
    context.useMemory({ id: item.id, similarity, updatedAt: item.updatedAt });
  }
}

/**
 * What is remembered is looked up from a run's beginning on, beside everything else, and stands in all of its
 * calls, in the same place: their beginnings stay equal. What is found late stands behind what came last.
 */
export default definePlugin({
  register(host) {
    /** Before their first call. */
    const begun = new Map<string, RunMemory>();
    const runs = new Map<string, RunMemory>();
    const places = { first: new Map<string, BlockPlace>(), late: new Map<string, BlockPlace>() };
    const sent = new SentBlocks(() => host.clock.now());
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
    /** Where a block of a run stands: at the message where it was first, as long as that is there. */
    const placeOf = (kind: keyof typeof places, { runId }: RunContext, call: ModelCall): number => {
      const known = places[kind].get(runId);
      if (known?.isIn(call) === true) return known.index;
      const place = new BlockPlace(call, kind === "late" ? call.messages.length - 1 : undefined);
      places[kind].set(runId, place);
      return place.index;
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
        const { memory } = host.services;
        const run = call.raw === undefined ? runOf(call, context) : undefined;
        if (run === undefined || memory === undefined) return call;
        const first = await run.first;
        const blocks = [{ text: first.text, index: placeOf("first", context, call) }];
        const late = await run.late(context.iteration);
        if (late?.text) blocks.push({ text: late.text, index: placeOf("late", context, call) });
        noteUse([...first.lines, ...(late?.lines ?? [])], context);
        const longer = sent.addTo(call, blocks, context, `${memory.revision} ${context.scope}`);
        context.usePart({ kind: "memories", tokens: sent.tokens(context.conversation.id) });
        return longer;
      },
      { stage: "early" },
    );
    host.tap("runEnded", ({ id }) => {
      for (const known of [begun, runs]) known.get(id)?.close();
      for (const known of [begun, runs, places.first, places.late]) known.delete(id);
    });
    host.tap("conversationEnded", (id) => sent.delete(id));
  },
});

import { definePlugin, type ModelCall } from "@pergola/sdk";
import { BlockPlace, SentBlocks } from "@pergola/sdk/host";
import { memoryBlock } from "./memory-block.ts";
import { questionOf } from "./question.ts";
import { recollect } from "./recollect.ts";

/**
 * What is remembered is looked up at a run's first model call, and stands in all of its calls, in the same
 * place: their beginnings stay equal.
 */
export default definePlugin({
  register(host) {
    const blocks = new Map<string, Promise<string>>();
    const sent = new SentBlocks(() => host.clock.now());
    const places = new Map<string, BlockPlace>();
    const placeOf = (runId: string, call: ModelCall): BlockPlace => {
      const known = places.get(runId);
      if (known?.isIn(call) === true) return known;
      const place = new BlockPlace(call);
      places.set(runId, place);
      return place;
    };
    host.tap(
      "shapeModelCall",
      async (call, context) => {
        const { memory, conversations, preferences } = host.services;
        if (memory === undefined || !context.request.enableMemory || call.raw !== undefined) return call;
        const sources = { memory, conversations, preferences, log: host.log };
        const make = async (): Promise<string> =>
          memoryBlock(await recollect(sources, context, questionOf(call)), context);
        const block = blocks.get(context.runId) ?? make();
        blocks.set(context.runId, block);
        const text = await block;
        const placed = { text, index: placeOf(context.runId, call).index };
        return sent.addTo(call, placed, context, String(memory.revision));
      },
      { stage: "early" },
    );
    host.tap("runEnded", ({ id }) => {
      blocks.delete(id);
      places.delete(id);
    });
    host.tap("conversationEnded", (id) => sent.delete(id));
  },
});

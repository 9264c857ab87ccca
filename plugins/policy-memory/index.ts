import { addBlock, definePlugin } from "@pergola/sdk";
import { memoryBlock } from "./memory-block.ts";
import { questionOf } from "./question.ts";
import { recollect } from "./recollect.ts";

/**
 * What is remembered is looked up at a run's first model call, and stands in all of its calls: their
 * beginnings stay equal.
 */
export default definePlugin({
  register(host) {
    const blocks = new Map<string, Promise<string>>();
    host.tap(
      "shapeModelCall",
      (call, context) => {
        const { memory, conversations, preferences } = host.services;
        if (memory === undefined || !context.request.enableMemory || call.raw !== undefined) return call;
        const made = (): Promise<string> =>
          recollect({ memory, conversations, preferences, log: host.log }, context, questionOf(call)).then(
            (found) => memoryBlock(found, context),
          );
        const block = blocks.get(context.runId) ?? made();
        blocks.set(context.runId, block);
        return block.then((text) => (text === "" ? call : addBlock(call, text)));
      },
      { stage: "early" },
    );
    host.tap("runEnded", ({ id }) => void blocks.delete(id));
  },
});

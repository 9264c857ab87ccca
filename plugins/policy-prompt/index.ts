import { definePlugin } from "@pergola/sdk";
import { SentBlocks, type MiniPrompt } from "@pergola/sdk/host";
import { chooseMini, chooseSystem } from "./choose-texts.ts";
import { contextWriter } from "./context-block.ts";
import { SteadyBlocks } from "./steady-blocks.ts";
import { withTopicName } from "./topic-name.ts";
import { warnUnknown } from "./warn-unknown.ts";
import { withServerTexts } from "./with-server-texts.ts";
import { withoutService } from "./without-service.ts";

export default definePlugin({
  register(host) {
    const blocks = new SteadyBlocks(contextWriter(() => host.services.preferences));
    const sent = new SentBlocks(() => host.clock.now());
    /** The mini prompts of runs at work, as they were when these began. */
    const instructions = new Map<string, readonly MiniPrompt[]>();
    host.tap("shapeChat", async (chat, context) => {
      warnUnknown(context);
      const { preferences, prompts = withoutService, mcpServers } = host.services;
      const chosen = await withServerTexts(await chooseMini(context, prompts), context, mcpServers);
      if (chosen.length > 0) instructions.set(context.runId, chosen);
      return {
        ...chat,
        system: [await chooseSystem(context, preferences, prompts), ...chat.system],
      };
    });
    host.tap("shapeModelCall", async (call, context) => {
      const hasTodos = context.isNew !== true || context.iteration > 1;
      const [named, todos] = await Promise.all([
        withTopicName(context, host.services),
        hasTodos ? host.services.todos?.list(context.conversation.id) : undefined,
      ]);
      const chosen = instructions.get(context.runId);
      const more = { now: host.clock.now(), instructions: chosen, todos };
      const basis = JSON.stringify([context.scope, chosen]);
      return sent.addTo(call, [blocks.blockFor(call, named, more)], context, basis);
    });
    host.tap("runEnded", ({ id }) => {
      instructions.delete(id);
      blocks.delete(id);
    });
    host.tap("conversationEnded", (id) => sent.delete(id));
  },
});

import { addBlock, definePlugin } from "@pergola/sdk";
import { systemPrompt } from "./choose-prompt.ts";
import { contextWriter } from "./context-block.ts";
import { warnUnknown } from "./warn-unknown.ts";

export default definePlugin({
  register(host) {
    const blockFor = contextWriter(host.clock, () => host.services.preferences);
    host.tap("shapeChat", (chat, context) => {
      warnUnknown(context);
      return { ...chat, system: [systemPrompt(context, host.services.preferences), ...chat.system] };
    });
    host.tap("shapeModelCall", async (call, context) => {
      const todos = await host.services.todos?.list(context.conversation.id);
      return addBlock(call, blockFor(context, todos));
    });
  },
});

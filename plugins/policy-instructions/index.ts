import type { PluginHost } from "@pergola/sdk";
import { defineHostPlugin } from "@pergola/sdk/host";
import { ChosenSkills, type ChosenRecord } from "./chosen-skills.ts";
import { Instructions } from "./instructions.ts";
import { ReadSkills } from "./read-skills.ts";
import { skills } from "./routes.ts";

/** The part that this plugin has made; undefined where another plugin brings it. */
function instructionsOf({ services }: PluginHost): Instructions | undefined {
  return services.instructions instanceof Instructions ? services.instructions : undefined;
}

export default defineHostPlugin({
  parts: { instructions: (parts) => new Instructions(parts) },
  endpoints: [skills],
  collections: { chosen: { indexes: [] } },
  register(host) {
    const read = new ReadSkills();
    const chosen = new ChosenSkills((id) => host.collection<ChosenRecord>("chosen", { indexes: [] }, id));
    const pin = (runId: string, conversationId: string): Promise<void> =>
      read.pin({ runId, conversationId }, { conversations: host.services.conversations, log: host.log });
    host.tap("shapeChat", async (chat, context) => {
      const shaped = await instructionsOf(host)?.shape(chat, context, chosen);
      read.begin(context.runId, shaped?.skillPaths ?? []);
      return shaped?.chat ?? chat;
    });
    host.tap("shapeModelCall", async (call, { runId, conversation }) => {
      await pin(runId, conversation.id);
      return call;
    });
    host.tap("toolCallEnded", (summary) => read.note(summary));
    host.tap("runEnded", async ({ id, conversationId }) => {
      await pin(id, conversationId);
      read.end(id);
    });
    host.tap("conversationEnded", async (id) => {
      instructionsOf(host)?.forget(id);
      await chosen.forget(id);
    });
  },
});

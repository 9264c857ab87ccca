import { definePlugin } from "@pergola/sdk";

interface Last {
  readonly id: string;
  readonly conversationId: string;
  readonly runId: string;
}

export default definePlugin({
  register(host) {
    host.tap("shapeChat", async (chat, { runId, conversation: { id } }) => {
      await host.collection<Last>("last", { indexes: [] }, id).put({ id, conversationId: id, runId });
      return chat;
    });
  },
});

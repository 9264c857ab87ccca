import { describeProvider, mockProviderServer } from "@pergola/sdk/testing";
import { messagesReply } from "./messages-reply.ts";
import { open } from "./support.ts";

describeProvider("anthropic", async (turn) => {
  const server = await mockProviderServer(messagesReply(turn));
  return {
    provider: await open({ baseUrl: server.baseUrl }),
    sourceAsked: () => server.request(0),
    sourceLeft: async () => (await server.request(0)).outcome,
    close: () => server.close(),
  };
});

import { chatReply, describeProvider, mockProviderServer, type OpenProvider } from "@pergola/sdk/testing";
import { open } from "./support.ts";

const over =
  (type: string): OpenProvider =>
  async (turn) => {
    const server = await mockProviderServer(chatReply(turn));
    return {
      provider: await open(type, { baseUrl: type === "remote-llama" ? server.url : server.baseUrl }),
      requestReceived: () => server.request(0),
      connectionClosed: async () => (await server.request(0)).outcome,
      close: () => server.close(),
    };
  };

for (const type of ["custom", "minimax", "remote-llama"]) describeProvider(type, over(type));

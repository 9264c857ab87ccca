import { describeProvider, mockProviderServer, directFetch } from "@pergola/sdk/testing";
import { answering, geminiReply, open } from "./support.ts";

const listing = answering([
  JSON.stringify({ models: [{ name: "models/gemini-3-flash", supportedGenerationMethods: ["generateContent"] }] }),
]);

describeProvider("gemini", async (turn) => {
  const server = await mockProviderServer(geminiReply(turn));
  return {
    provider: await open(
      { baseUrl: `${server.url}/v1beta` },
      { fetch: (url, init) => (init.method === undefined ? listing(url, init) : directFetch(url, init)) },
    ),
    sourceAsked: () => server.request(0),
    sourceLeft: async () => (await server.request(0)).outcome,
    close: () => server.close(),
  };
});

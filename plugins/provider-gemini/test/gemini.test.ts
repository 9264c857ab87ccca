import { expect } from "chai";
import { describeProvider, mockProviderServer, directFetch } from "@pergola/sdk/testing";
import { gemini } from "../index.ts";
import { answering, geminiReply, open } from "./support.ts";

const listing = answering([
  JSON.stringify({
    models: [{ name: "models/gemini-3-flash", supportedGenerationMethods: ["generateContent"] }],
  }),
]);

describeProvider("gemini", async (turn) => {
  const server = await mockProviderServer(geminiReply(turn));
  return {
    provider: await open(
      { baseUrl: `${server.url}/v1beta` },
      { fetch: (url, init) => (init.method === undefined ? listing(url, init) : directFetch(url, init)) },
    ),
    requestReceived: () => server.request(0),
    connectionClosed: async () => (await server.request(0)).outcome,
    close: () => server.close(),
  };
});

it("the kind `gemini` is found under its prefix, at its address, with the key of its customary variables", () => {
  const { type, prefix, baseUrl, needsKey, keyVariable } = gemini;
  expect({ type, prefix, baseUrl, needsKey, keyVariable }).to.deep.equal({
    type: "gemini",
    prefix: "gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    needsKey: true,
    keyVariable: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  });
});

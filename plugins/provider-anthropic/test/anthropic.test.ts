import { expect } from "chai";
import { describeProvider, mockProviderServer } from "@pergola/sdk/testing";
import { anthropic } from "../index.ts";
import { messagesReply } from "./messages-reply.ts";
import { open } from "./support.ts";

describeProvider("anthropic", async (turn) => {
  const server = await mockProviderServer(messagesReply(turn));
  return {
    provider: await open({ baseUrl: server.baseUrl }),
    requestReceived: () => server.request(0),
    connectionClosed: async () => (await server.request(0)).outcome,
    close: () => server.close(),
  };
});

it("the kind `anthropic` is found under its prefix, at its address, with the key of its customary variable", () => {
  const { type, prefix, baseUrl, needsKey, keyVariable } = anthropic;
  expect({ type, prefix, baseUrl, needsKey, keyVariable }).to.deep.equal({
    type: "anthropic",
    prefix: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    needsKey: true,
    keyVariable: "ANTHROPIC_API_KEY",
  });
});

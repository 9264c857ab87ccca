import path from "node:path";
import { expect } from "chai";
import {
  chatReply,
  describeProvider,
  mockProviderServer,
  providerDoor,
  providerSettings,
  startTestHost,
  type MockProviderServer,
  type TestHost,
} from "@pergola/sdk/testing";
import { provider } from "../index.ts";

/** The plugin as a host finds it: by its folder, built. */
const plugin = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };

/** A service that lists two models, and gives every question the same answer. */
const serverFor = (turn: Parameters<typeof chatReply>[0]) =>
  mockProviderServer(chatReply(turn), { models: ["small", "large"] });

describeProvider(
  "sample-name",
  async (turn) => {
    const server = await serverFor(turn);
    const settings = providerSettings({ baseUrl: server.baseUrl, apiKey: "a key" });
    return {
      provider: await provider.open(settings, providerDoor()),
      requestReceived: () => server.request(0),
      connectionClosed: async () => (await server.request(0)).outcome,
      close: () => server.close(),
    };
  },
  { plays: ["text", "usage", "errors", "hang"] },
);

describe("pergola-provider-sample-name in a host", function () {
  this.timeout(30_000);
  let server: MockProviderServer;
  let host: TestHost;

  before(async () => {
    server = await serverFor({ text: "Good day." });
    const own = { type: "sample-name", base_url: server.baseUrl, api_key: { env: "SAMPLE_NAME_API_KEY" } };
    host = await startTestHost({
      plugins: ["@pergola/bundle-standard", plugin],
      settings: { "providers.list": [own] },
      environment: { SAMPLE_NAME_API_KEY: "a key" },
    });
  });
  after(async () => {
    await host.stop();
    await server.close();
  });

  it("answers a chat with a model of the service", async () => {
    const messages = [{ role: "user", content: "Hello" }];
    const { body } = await host.json<{ choices: readonly { message: { content: string } }[] }>(
      "POST",
      "/v1/chat/completions",
      { model: "sample-name/small", messages },
    );
    expect(body.choices[0]?.message.content).to.equal("Good day.");
  });
});

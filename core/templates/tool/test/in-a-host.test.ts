import path from "node:path";
import { expect } from "chai";
import {
  chatReply,
  mockProviderServer,
  startTestHost,
  type MockProviderServer,
  type TestHost,
} from "@pergola/sdk/testing";

/** The plugin as a host finds it: by its folder, built. */
const plugin = path.resolve(import.meta.dirname, "..");

describe("pergola-tool-sample-name in a host", function () {
  this.timeout(30_000);
  let model: MockProviderServer;
  let host: TestHost;

  before(async () => {
    model = await mockProviderServer();
    host = await startTestHost({
      plugins: ["@pergola/bundle-standard", plugin],
      settings: {
        // So that the tests run where there is no sandbox, too.
        "plugins.require_sandbox": false,
        default_model: "custom/test",
        "providers.list": [{ type: "custom", base_url: model.baseUrl }],
        "models.overrides": { "custom/test": { supportsTools: true } },
      },
    });
  });
  after(async () => {
    await host.stop();
    await model.close();
  });

  it("runs in a process of its own, without a fault", () => {
    const status = host.services.system.plugins().find(({ id }) => id === "pergola-tool-sample-name");
    expect(status).to.include({ state: "running", tier: "isolated", fault: null });
  });

  it("answers the calls of a model", async () => {
    const args = { operation: "count_words", text: "to be or not to be" };
    model.play([
      chatReply({ toolCalls: [{ name: "sample_name", arguments: args }] }),
      chatReply({ text: "Six." }),
    ]);
    const messages = [{ role: "user", content: "How many words are in: to be or not to be" }];
    await host.json("POST", "/api/chat/completions", { model: "default", messages });
    const { body } = await model.request(1);
    const { messages: sent } = body as {
      readonly messages: readonly { readonly role: string; readonly content: string }[];
    };
    const answer = sent.findLast(({ role }) => role === "tool")?.content ?? "";
    expect(JSON.parse(answer)).to.include({ success: true, data: '{"count":6}' });
  });
});

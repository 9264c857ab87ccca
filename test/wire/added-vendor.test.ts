import { expect } from "chai";
import type { JsonObject } from "@pergola/sdk";
import {
  chatReply,
  mockProviderServer,
  startTestHost,
  type MockProviderServer,
  type TestHost,
} from "@pergola/sdk/testing";
import { read } from "../architecture/tree.ts";
import type { ChatAnswer } from "../support/chat.ts";

/** The settings that docs/add-a-provider.md shows, with an address that there is. */
function shownSettings(baseUrl: string): JsonObject {
  const [, shown = ""] = /```json\n([^]*?)```/.exec(read("docs/add-a-provider.md")) ?? [];
  return JSON.parse(shown.replace("https://api.nimbus.example/v1", baseUrl)) as JsonObject;
}

describe("a vendor that an entry of the settings adds", () => {
  let vendor: MockProviderServer;
  let host: TestHost;
  before(async () => {
    const usage = { promptTokens: 2000, completionTokens: 1000 };
    vendor = await mockProviderServer(chatReply([{ text: "Good day." }, { usage }]), {
      models: ["large-1", "small-1"],
    });
    host = await startTestHost({
      settings: shownSettings(vendor.baseUrl),
      environment: { NIMBUS_API_KEY: "the key" },
    });
  });
  after(async () => {
    await host.stop();
    await vendor.close();
  });

  it("has its models listed, with the facts that the settings tell", async () => {
    const { body } = await host.json<{
      readonly data: readonly { readonly id: string; readonly context_window: number }[];
    }>("GET", "/api/models");
    const models = body.data.filter(({ id }) => id.startsWith("nimbus/"));
    expect(models.map(({ id }) => id)).to.deep.equal(["nimbus/large-1", "nimbus/small-1"]);
    expect(models[0]?.context_window).to.equal(131_072);
  });

  it("answers, is sent what the entry says, and costs what the settings say", async () => {
    const body = { model: "default", seed: 7, messages: [{ role: "user", content: "Hello" }] };
    const answer = (await host.json<ChatAnswer>("POST", "/api/chat/completions", body)).body;
    expect([answer.model, answer.choices[0]?.message.content]).to.deep.equal(["nimbus/large-1", "Good day."]);
    expect(answer.service_metadata["cost_estimate"]).to.include({ estimated_cost_usd: 0.006, known: true });
    const { headers, body: sent } = await vendor.request(0);
    expect(headers).to.include({ authorization: "Bearer the key", "x-team": "roses" });
    expect(sent).to.include({ model: "large-1", top_k: 40 }).and.not.have.property("seed");
  });
});

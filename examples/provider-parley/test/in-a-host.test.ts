import path from "node:path";
import { expect } from "chai";
import {
  jsonReply,
  mockProviderServer,
  startTestHost,
  type MockProviderServer,
  type TestHost,
} from "@pergola/sdk/testing";
import { parleyReply } from "./parley-reply.ts";

/** The plugin as a host finds it: by its folder, built. */
const plugin = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };

interface Answer {
  readonly model: string;
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly usage: object;
  readonly service_metadata: { readonly workflow: { readonly tools_used: readonly string[] } };
}

describe("pergola-provider-parley in a host", function () {
  this.timeout(30_000);
  let vendor: MockProviderServer;
  let host: TestHost;
  before(async () => {
    const call =
      '<tool_call>{"name":"math_operations","arguments":{"operation":"calculate","expression":"6*7"}}</tool_call>';
    let talks = 0;
    vendor = await mockProviderServer(({ method }) => {
      if (method === "GET") return jsonReply({ voices: ["alto"] });
      talks += 1;
      return parleyReply(
        talks > 1 ? [{ text: "42." }, { usage: { promptTokens: 9, completionTokens: 1 } }] : { text: call },
      );
    });
    host = await startTestHost({
      plugins: ["@pergola/bundle-standard", plugin],
      settings: {
        "providers.list": [{ type: "parley", base_url: vendor.baseUrl, api_key: { env: "KEY" } }],
        "models.prices": { "parley/alto": { prompt: 1, completion: 1 } },
      },
      environment: { KEY: "a key" },
    });
  });
  after(async () => {
    await host.stop();
    await vendor.close();
  });

  it("is listed with its models", async () => {
    const { body } = await host.json<{ readonly data: readonly { readonly id: string }[] }>(
      "GET",
      "/api/models",
    );
    expect(body.data.map(({ id }) => id)).to.include("parley/alto");
  });

  it("answers, and calls tools by the prompt, though the format has none", async () => {
    const messages = [{ role: "user", content: "What is six times seven?" }];
    const { status, body } = await host.json<Answer>("POST", "/api/chat/completions", {
      model: "parley/alto",
      messages,
    });
    expect([status, body.model, body.choices[0]?.message.content]).to.deep.equal([200, "parley/alto", "42."]);
    expect(body.service_metadata.workflow.tools_used).to.deep.equal(["math_operations"]);
    const talks = vendor.requests.filter(({ path: at }) => at.endsWith("/talk"));
    expect([talks.length, talks[0]?.text.includes("<tool_call>")]).to.deep.equal([2, true]);
  });
});

import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { chatReply, mockProviderServer, type MockProviderServer } from "@pergola/sdk/testing";
import chatKinds from "../../plugins/provider-chat-completions/index.ts";
import { knownModel } from "../../plugins/service-models/model-data.ts";
import { openFormats } from "../support/alone/formats.ts";
import { chat, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

/** A model of each kind that the tables know, where they know the kind. */
const named: Readonly<Record<string, string>> = {
  openai: "gpt-4o",
  deepseek: "deepseek-chat",
  minimax: "minimax-m2",
  openrouter: "openai/gpt-4o",
  zai: "glm-5.3",
  anthropic: "claude-sonnet-5",
  gemini: "gemini-2.5-flash",
};

interface Metadata {
  readonly provider: {
    readonly type: string;
    readonly name: string;
    readonly is_local: boolean;
    readonly base_url: string;
  };
  readonly cost_estimate: {
    readonly prompt_cost_per_1k: number;
    readonly completion_cost_per_1k: number;
    readonly known: boolean;
    readonly note: string;
  };
  readonly usage_source: string;
}

describe("an answer of each kind", () => {
  let stage: Stage;
  let vendor: MockProviderServer;
  let formats: Awaited<ReturnType<typeof openFormats>>;
  /** GitHub Copilot's needs a login, which has tests of its own. */
  const kinds = (chatKinds.providers ?? []).filter(({ type }) => type !== "github-copilot");
  const types = [...kinds.map(({ type }) => type), "anthropic", "gemini"];
  const modelOf = (type: string): string => named[type] ?? "test";

  before(async () => {
    vendor = await mockProviderServer(
      chatReply([{ text: "Hello." }, { usage: { promptTokens: 9, completionTokens: 4 } }]),
    );
    formats = await openFormats();
    const list: Json[] = types.map((type) => ({
      type,
      base_url: type === "anthropic" || type === "gemini" ? `${formats.url}/${type}` : vendor.baseUrl,
      api_key: { env: "KEY" },
      models: [modelOf(type)],
    }));
    stage = await openStage(undefined, {
      environment: { KEY: "a key" },
      settings: { "providers.list": list },
    });
  });
  after(async () => {
    await stage.end();
    await vendor.close();
    formats.close();
  });

  for (const type of types) {
    verifies("providers:kinds", `tells that it is ${type}'s, what it used and what it costs`, async () => {
      const prefix = type.replaceAll("-", "_");
      const { status, body } = await chat(stage, {
        model: `${prefix}/${modelOf(type)}`,
        messages: [user("Hello")],
      });
      expect([status, body.model]).to.deep.equal([200, `${prefix}/${modelOf(type)}`]);
      const {
        provider,
        cost_estimate: cost,
        usage_source: source,
      } = body.service_metadata as unknown as Metadata;
      const isOther = type === "anthropic" || type === "gemini";
      expect(provider).to.include({ type, is_local: true, base_url: isOther ? formats.url : vendor.url });
      expect(source).to.equal(type === "gemini" ? "estimated" : "provider");
      const row = knownModel(type, modelOf(type));
      expect(row !== undefined, "known to the tables").to.equal(type in named);
      expect(cost).to.include({
        known: true,
        prompt_cost_per_1k: row?.prompt ?? 0,
        completion_cost_per_1k: row?.completion ?? 0,
      });
      expect(cost.note).to.match(row === undefined ? /^local model$/ : /^list prices as of 20/);
    });
  }
});

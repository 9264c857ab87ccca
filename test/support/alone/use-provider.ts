import type { JsonObject } from "@pergola/sdk";
import { expect } from "chai";
import type { Outside } from "./outside.ts";
import type { Serving } from "./serve.ts";
import type { UseOf } from "./use.ts";

interface Model {
  /** Settings with which the kind has it. */
  readonly settings?: JsonObject;
  readonly id: string;
  /** What it answers to "What can you do?" */
  readonly says: RegExp;
  /** Another model that is listed once this one has answered. */
  readonly beside?: string;
}

/** A model of each provider plugin that answers alone. */
const models: Readonly<Record<string, (outside: Outside) => Model>> = {
  "provider-chat-completions": ({ model }) => ({
    settings: { "providers.list": [{ type: "custom", base_url: model, retry_count: 0 }] },
    id: "custom/test",
    says: /^Hello\.$/,
  }),
  // Its guide answers without the weights too, but then minilm is not listed any more.
  "provider-embedded": () => ({ id: "embedded/guide", says: /\w/, beside: "embedded/minilm" }),
  "provider-scripted": () => ({
    settings: { "providers.list": [{ type: "scripted", script: [{ text: "As written." }] }] },
    id: "scripted/test",
    says: /^As written\.$/,
  }),
};

interface Listed {
  readonly id: string;
  readonly provider_type: string;
}

interface Reply {
  readonly choices?: readonly { readonly message: { readonly content: string } }[];
}

export async function chat({ ask }: Serving, model: string): Promise<string> {
  const request = { model, messages: [{ role: "user", content: "What can you do?" }] };
  const { status, body } = await ask<Reply>("POST", "/api/chat/completions", request);
  expect(status, JSON.stringify(body)).to.equal(200);
  return body.choices?.[0]?.message.content ?? "";
}

/** Its models are listed, and one answers. */
export const useProvider: UseOf = async ({ id, provides: { providers = [] } = {} }, outside) => {
  const model = models[id]?.(outside);
  if (model === undefined) throw new Error(`Say in use-provider.ts which model of ${id} answers.`);
  return {
    companions: ["endpoint-models", "endpoint-chat"],
    settings: { "providers.list_cache_seconds": 0, ...model.settings },
    check: async (serving) => {
      expect(await chat(serving, model.id)).to.match(model.says);
      const { body } = await serving.ask<{ readonly data: readonly Listed[] }>("GET", "/api/models");
      const listed = body.data.filter(({ provider_type: type }) => providers.includes(type)).map((one) => one.id);
      expect(listed).to.include.members([model.id, model.beside ?? model.id]);
    },
  };
};

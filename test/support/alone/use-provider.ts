import type { JsonObject } from "@pergola/sdk";
import { expect } from "chai";
import { tinyModel } from "../../../plugins/provider-local-llama/test/tiny-model.ts";
import type { Outside } from "./outside.ts";
import type { Serving } from "./serve.ts";
import type { UseOf } from "./use.ts";

interface Model {
  /** Settings with which the kind has it. */
  readonly settings?: JsonObject;
  readonly id: string;
  /** What it answers to "What can you do?", or why it cannot. */
  readonly says: RegExp;
  /** It cannot, on most machines. */
  readonly fails?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  /** Another model that is listed once this one has answered. */
  readonly beside?: string;
}

/** Any text passes for one: that of a variable which is always set. */
const key = { env: "NO_COLOR" };

/** A model of each provider plugin that answers alone. */
const models: Readonly<Record<string, (outside: Outside) => Model>> = {
  "provider-chat-completions": ({ model }) => ({
    settings: { "providers.list": [{ type: "custom", base_url: model, retry_count: 0 }] },
    id: "custom/test",
    says: /^Hello\.$/,
  }),
  "provider-anthropic": ({ formats }) => ({
    settings: {
      "providers.list": [
        { type: "anthropic", base_url: `${formats}/anthropic`, api_key: key, retry_count: 0 },
      ],
    },
    id: "anthropic/test",
    says: /^Hello\.$/,
  }),
  "provider-gemini": ({ formats }) => ({
    settings: {
      "providers.list": [{ type: "gemini", base_url: `${formats}/gemini`, api_key: key, retry_count: 0 }],
    },
    id: "gemini/test",
    says: /^Hello\.$/,
  }),
  "provider-local-llama": () => ({
    id: "llama/tiny",
    says: /^Hi$/,
    files: {
      "../home/data/models/tiny.gguf": tinyModel({ chain: { "<0x0A>": "H", H: "i", i: "</s>" } }).toString(
        "latin1",
      ),
    },
  }),
  "provider-local-mlx": () => ({
    settings: { "providers.list": [{ type: "local-mlx", models: ["set"] }] },
    id: "mlx/set",
    says: /No MLX model|Apple silicon/,
    fails: true,
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
  readonly error?: { readonly message: string };
}

/** What the model answers; with `fails`, why it does not. */
export async function chat({ ask }: Serving, model: string, fails = false): Promise<string> {
  const request = { model, messages: [{ role: "user", content: "What can you do?" }] };
  const { status, body } = await ask<Reply>("POST", "/api/chat/completions", request);
  expect(status === 200, JSON.stringify(body)).to.equal(!fails);
  return body.choices?.[0]?.message.content ?? body.error?.message ?? "";
}

/** Its models are listed, and one answers. */
export const useProvider: UseOf = async ({ id, provides: { providers = [] } = {} }, outside) => {
  const model = models[id]?.(outside);
  if (model === undefined) throw new Error(`Say in use-provider.ts which model of ${id} answers.`);
  return {
    companions: ["endpoint-models", "endpoint-chat"],
    settings: { "providers.list_cache_seconds": 0, ...model.settings },
    files: model.files ?? {},
    check: async (serving) => {
      expect(await chat(serving, model.id, model.fails)).to.match(model.says);
      const found = await Promise.all(
        ["", "?category=embedding"].map((query) =>
          serving.ask<{ readonly data: readonly Listed[] }>("GET", `/api/models${query}`),
        ),
      );
      const listed = found
        .flatMap(({ body }) => body.data)
        .filter(({ provider_type: type }) => providers.includes(type))
        .map((one) => one.id);
      expect(listed).to.include.members([model.id, model.beside ?? model.id]);
    },
  };
};

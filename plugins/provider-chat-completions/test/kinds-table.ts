import type { Usage } from "@pergola/sdk";

/** What one kind is like, as its vendor documents it; the rest is the same for all. */
export interface Kind {
  readonly prefix: string;
  /** Default base URL; undefined where the person gives one. */
  readonly baseUrl?: string;
  readonly keyVariable?: string;
  /** Without a key nothing is sent. */
  readonly needsKey: boolean;
  /** `table`: the models are known without asking. */
  readonly listing: "asked" | "table";
  /** A delta that thinks. */
  readonly thought: object;
  /** How it counts. */
  readonly usage: object;
  readonly counted: Usage;
  readonly images: boolean;
  /** The field that offers tools beside `tools`, if any. */
  readonly toolField?: string;
  /** What it says when an answer is filtered. */
  readonly filtered: string;
  /** Its own error, and the code that callers see. */
  readonly error: readonly [status: number, body: object, code: string];
}

const plainUsage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
const plainCount: Usage = { promptTokens: 9, completionTokens: 4 };
const detailedUsage = {
  ...plainUsage,
  prompt_tokens_details: { cached_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 3 },
};
const detailedCount: Usage = { ...plainCount, cachedTokens: 5, reasoningTokens: 3 };

const zai: Omit<Kind, "prefix" | "baseUrl" | "keyVariable"> = {
  needsKey: true,
  listing: "table",
  thought: { reasoning_content: "Hm." },
  usage: { ...plainUsage, prompt_tokens_details: { cached_tokens: 5 } },
  counted: { ...plainCount, cachedTokens: 5 },
  images: true,
  toolField: "tool_stream",
  filtered: "sensitive",
  error: [401, { error: { code: "1000", message: "Authentication failed" } }, "provider_auth_failed"],
};

const runtime: Omit<Kind, "prefix" | "baseUrl"> = {
  needsKey: false,
  listing: "asked",
  thought: { reasoning: "Hm." },
  usage: plainUsage,
  counted: plainCount,
  images: true,
  filtered: "content_filter",
  error: [
    500,
    { error: { message: "model runner has stopped", type: "api_error", param: null, code: null } },
    "provider_error",
  ],
};

/** Each kind, by its type. */
export const table: Readonly<Record<string, Kind>> = {
  custom: {
    ...runtime,
    prefix: "custom",
    thought: { reasoning_content: "Hm." },
    usage: detailedUsage,
    counted: detailedCount,
  },
  openai: {
    prefix: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    needsKey: true,
    listing: "asked",
    thought: { reasoning_content: "Hm." },
    usage: detailedUsage,
    counted: detailedCount,
    images: true,
    filtered: "content_filter",
    error: [
      429,
      {
        error: {
          message: "You exceeded your current quota",
          type: "insufficient_quota",
          code: "insufficient_quota",
        },
      },
      "provider_rate_limited",
    ],
  },
  deepseek: {
    prefix: "deepseek",
    baseUrl: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
    needsKey: true,
    listing: "asked",
    thought: { reasoning_content: "Hm.", content: null },
    usage: { ...plainUsage, prompt_cache_hit_tokens: 5, completion_tokens_details: { reasoning_tokens: 3 } },
    counted: detailedCount,
    images: false,
    filtered: "content_filter",
    error: [
      402,
      { error: { message: "Insufficient Balance", type: "unknown_error", code: "invalid_request_error" } },
      "provider_rejected",
    ],
  },
  minimax: {
    prefix: "minimax",
    baseUrl: "https://api.minimax.io/v1",
    keyVariable: "MINIMAX_API_KEY",
    needsKey: true,
    listing: "table",
    thought: { reasoning_details: [{ type: "reasoning.text", text: "Hm." }] },
    usage: { ...plainUsage, completion_tokens_details: { reasoning_tokens: 3 } },
    counted: { ...plainCount, reasoningTokens: 3 },
    images: true,
    filtered: "content_filter",
    error: [200, { base_resp: { status_code: 1004, status_msg: "login fail" } }, "provider_auth_failed"],
  },
  openrouter: {
    prefix: "openrouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    needsKey: true,
    listing: "asked",
    thought: { reasoning: "Hm.", reasoning_details: [{ type: "reasoning.text", text: "Hm." }] },
    usage: detailedUsage,
    counted: detailedCount,
    images: true,
    filtered: "content_filter",
    error: [
      200,
      { error: { code: 502, message: "Provider returned error", metadata: { provider_name: "x" } } },
      "provider_error",
    ],
  },
  "remote-llama": {
    ...runtime,
    prefix: "remote_llama",
    thought: { reasoning_content: "Hm." },
    error: [
      503,
      { error: { code: 503, message: "Loading model", type: "unavailable_error" } },
      "provider_error",
    ],
  },
  "ollama-cloud": {
    ...runtime,
    prefix: "ollama_cloud",
    baseUrl: "https://ollama.com/v1",
    keyVariable: "OLLAMA_API_KEY",
    needsKey: true,
    error: [401, { error: "unauthorized" }, "provider_auth_failed"],
  },
  zai: { ...zai, prefix: "zai", baseUrl: "https://api.z.ai/api/paas/v4", keyVariable: "ZAI_API_KEY" },
  "zai-coding": { ...zai, prefix: "zai_coding", baseUrl: "https://api.z.ai/api/coding/paas/v4" },
  ollama: { ...runtime, prefix: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  lmstudio: {
    ...runtime,
    prefix: "lmstudio",
    baseUrl: "http://127.0.0.1:1234/v1",
    thought: { reasoning_content: "Hm." },
    error: [
      400,
      {
        error: "Trying to keep the first 9000 tokens when context the overflows. The context length is 4096.",
      },
      "context_length_exceeded",
    ],
  },
};

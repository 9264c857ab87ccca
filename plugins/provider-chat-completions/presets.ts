import { minimaxModels, zaiModels } from "./model-tables.ts";
import type { Preset } from "./preset.ts";
import { lmstudioDetails, ollamaDetails, ollamaMemory } from "./runtime-details.ts";

const common = {
  temperature: "temperature",
  topP: "top_p",
  maxTokens: "max_tokens",
  stop: "stop",
  responseFormat: "response_format",
  toolChoice: "tool_choice",
} as const;

const penalties = { presencePenalty: "presence_penalty", frequencyPenalty: "frequency_penalty" } as const;

/** Everything that the format itself has. */
const full = {
  ...common,
  ...penalties,
  seed: "seed",
  parallelToolCalls: "parallel_tool_calls",
  user: "user",
} as const;

/**
 * An editor with GitHub's own plugin: the vendor serves nobody else. The record's `headers` win over these.
 */
const editor = {
  "user-agent": "GitHubCopilotChat/0.31.5",
  "editor-version": "vscode/1.104.3",
  "editor-plugin-version": "copilot-chat/0.31.5",
  "copilot-integration-id": "vscode-chat",
} as const;

/** Models that think, and take no sampling fields. */
const openaiReasoning = /^(o\d|gpt-5(?!.*chat))/;
const reasoningSampling: Preset["fixed"] = {
  models: openaiReasoning,
  fields: ["temperature", "topP", "presencePenalty", "frequencyPenalty", "stop"],
};

/** What most vendors have in common. */
const usual = {
  listing: "/models",
  streamOptions: true,
  images: true,
  lateSystem: false,
  messageKeys: [],
} as const;

const zai = {
  ...usual,
  needsKey: true,
  listing: zaiModels,
  sampling: common,
  temperature: { least: 0, most: 1 },
  formats: "json_object",
  toolChoices: ["auto"],
  thinking: "switch",
  streamOptions: false,
  replay: { field: "reasoning_content", scope: "turn" },
  lateSystem: true,
  toolBody: { tool_stream: true },
} as const satisfies Omit<Preset, "type" | "prefix" | "name">;

const ollama = {
  ...usual,
  sampling: { ...common, ...penalties, seed: "seed" },
  thinking: "effort-or-none",
  replay: { field: "reasoning", scope: "turn" },
} as const satisfies Omit<Preset, "type" | "prefix" | "name">;

/** Every vendor that speaks the chat-completions format. A vendor is a row here and nothing else. */
const rows: readonly Omit<Preset, "prefix">[] = [
  {
    ...usual,
    type: "custom",
    name: "Custom",
    sampling: { ...full, repetitionPenalty: "repetition_penalty" },
    thinking: "effort",
    messageKeys: ["cache_control"],
  },
  {
    ...usual,
    type: "openai",
    name: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    needsKey: true,
    keyVariable: "OPENAI_API_KEY",
    unlisted:
      /^(whisper|tts|dall-e|sora|omni-moderation|text-moderation|babbage|davinci)|image|audio|realtime|transcribe|instruct|search/,
    sampling: { ...full, maxTokens: "max_completion_tokens" },
    fixed: reasoningSampling,
    thinking: "effort",
    thinkingModels: openaiReasoning,
    responses: /^(o\d+|gpt-5[\d.]*)-pro|codex|deep-research|computer-use/,
    lateSystem: true,
  },
  {
    ...usual,
    type: "github-copilot",
    name: "GitHub Copilot",
    baseUrl: "https://api.githubcopilot.com",
    priceNote: "part of a subscription",
    login: {
      clientId: "Iv1.b507a08c87ecfe98",
      scope: "read:user",
      tokenPath: "/copilot_internal/v2/token",
      quotaPath: "/copilot_internal/user",
      headers: { ...editor, accept: "application/json", "x-github-api-version": "2025-04-01" },
    },
    headers: { ...editor, "openai-intent": "conversation-agent", "x-github-api-version": "2025-05-01" },
    callHeaders: { initiator: "x-initiator", images: "copilot-vision-request" },
    responses: /codex/,
    sampling: { ...common, ...penalties, seed: "seed", parallelToolCalls: "parallel_tool_calls" },
    fixed: reasoningSampling,
    thinking: "effort",
    thinkingModels: openaiReasoning,
    lateSystem: true,
  },
  {
    ...usual,
    type: "deepseek",
    name: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
    needsKey: true,
    keyVariable: "DEEPSEEK_API_KEY",
    sampling: { ...common, ...penalties },
    formats: "json_object",
    thinking: "switch",
    replay: { field: "reasoning_content", scope: "all", required: true },
    images: false,
    lateSystem: true,
  },
  {
    ...usual,
    type: "minimax",
    name: "MiniMax",
    baseUrl: "https://api.minimax.io/v1",
    needsKey: true,
    keyVariable: "MINIMAX_API_KEY",
    listing: minimaxModels,
    sampling: common,
    formats: "json_object",
    temperature: { least: 0.01, most: 1 },
    toolChoices: ["auto", "none"],
    thinking: "always",
    replay: { field: "reasoning_details", scope: "all" },
    snapshots: true,
    messageKeys: ["reasoning_details"],
    body: { reasoning_split: true },
  },
  {
    ...usual,
    type: "openrouter",
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    needsKey: true,
    keyVariable: "OPENROUTER_API_KEY",
    headers: { "http-referer": "http://localhost", "x-title": "Pergola" },
    sampling: { ...full, repetitionPenalty: "repetition_penalty" },
    thinking: "object",
    replay: { field: "reasoning", scope: "turn" },
    lateSystem: true,
    messageKeys: ["cache_control", "reasoning_details"],
  },
  {
    ...usual,
    type: "remote-llama",
    name: "Remote llama",
    root: "/v1",
    sampling: { ...full, repetitionPenalty: "repeat_penalty" },
    thinking: "template",
    replay: { field: "reasoning_content", scope: "turn" },
  },
  {
    ...ollama,
    type: "ollama-cloud",
    name: "Ollama Cloud",
    baseUrl: "https://ollama.com/v1",
    needsKey: true,
    keyVariable: "OLLAMA_API_KEY",
  },
  {
    ...zai,
    type: "zai",
    name: "Z.ai",
    baseUrl: "https://api.z.ai/api/paas/v4",
    keyVariable: "ZAI_API_KEY",
  },
  {
    ...zai,
    type: "zai-coding",
    name: "Z.ai Coding Plan",
    baseUrl: "https://api.z.ai/api/coding/paas/v4",
  },
  {
    ...ollama,
    type: "ollama",
    name: "Ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    details: ollamaDetails,
    memory: ollamaMemory,
  },
  {
    ...usual,
    type: "lmstudio",
    name: "LM Studio",
    baseUrl: "http://127.0.0.1:1234/v1",
    details: lmstudioDetails,
    sampling: { ...common, ...penalties, seed: "seed", repetitionPenalty: "repeat_penalty" },
    formats: "json_schema",
    thinking: "always",
  },
];

/** The prefix of a vendor's models is its type, with `_`. */
export const presets: readonly Preset[] = rows.map((row) => ({
  ...row,
  prefix: row.type.replaceAll("-", "_"),
}));

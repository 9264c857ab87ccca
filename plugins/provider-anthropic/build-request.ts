import type { JsonObject, ModelCall } from "@pergola/sdk";
import { beginsWithThought, buildMessages } from "./build-messages.ts";
import { buildSampling } from "./build-sampling.ts";
import { buildThinking } from "./build-thinking.ts";
import { buildTools } from "./build-tools.ts";
import { markForCache } from "./cache-breakpoints.ts";
import type { ModelTraits } from "./model-traits.ts";
import { readRaw } from "./read-raw.ts";
import { ToolNames } from "./tool-names.ts";

export interface MessagesRequest {
  /** JSON text. */
  readonly body: string;
  readonly names: ToolNames;
  /** What the vendor cannot be asked for. */
  readonly warnings: readonly string[];
}

/** Tokens of an answer where nobody says how many: the format wants a limit. */
const usualTokens = 4096;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function translate(
  call: ModelCall,
  traits: ModelTraits,
  cache: boolean,
  names: ToolNames,
  warn: (text: string) => void,
): JsonObject {
  const { model, sampling, unasked = [], tools } = call;
  const limit = sampling.maxTokens ?? Math.min(usualTokens, traits.maxOutputTokens);
  const wanted = buildThinking(call.thinking, limit, traits, warn);
  const options = { names, prefill: traits.prefill, thinks: wanted.on, warn };
  const built = buildMessages(call.messages, options);
  const lost = wanted.on && !beginsWithThought(built.messages);
  if (lost) warn("thinking was left out: what was thought before the last tool calls is not known any more");
  const thinking = lost ? { fields: {}, on: false, maxTokens: limit } : wanted;
  const conversation = lost
    ? buildMessages(call.messages, { ...options, thinks: false, warn: () => undefined })
    : built;
  const { system, messages } = cache ? markForCache(conversation) : conversation;
  const { fields, output } = buildSampling(sampling, {
    traits,
    names,
    thinks: thinking.on,
    hasTools: tools.length > 0,
    unasked,
    warn,
  });
  const { output_config: effort, ...thinkingFields } = thinking.fields;
  const outputConfig = { ...(isObject(effort) ? effort : {}), ...output };
  return {
    model,
    max_tokens: thinking.maxTokens,
    ...(tools.length === 0 ? {} : { tools: buildTools(tools, names, warn) }),
    ...(system.length === 0 ? {} : { system }),
    messages: messages as unknown as JsonObject[],
    ...fields,
    ...thinkingFields,
    ...(Object.keys(outputConfig).length === 0 ? {} : { output_config: outputConfig }),
  };
}

/**
 * The body of `POST /messages`. `extra` holds the provider's own settings `body`, `leave_out` and `cache`.
 */
export function buildRequest(given: ModelCall, traits: ModelTraits, extra: JsonObject): MessagesRequest {
  const warnings = new Set<string>();
  const warn = (text: string): void => void warnings.add(text);
  const { call, own } = given.raw === undefined ? { call: given, own: {} } : readRaw(given, given.raw, warn);
  const names = new ToolNames(call.tools.map(({ name }) => name));
  const translated = translate(call, traits, extra["cache"] !== false, names, warn);
  const wishes = isObject(extra["body"]) ? extra["body"] : {};
  const leaveOut = Array.isArray(extra["leave_out"]) ? (extra["leave_out"] as readonly unknown[]) : [];
  const fields = Object.entries({ ...translated, ...own, stream: true, ...wishes }).filter(
    ([name]) => !leaveOut.includes(name),
  );
  return { body: JSON.stringify(Object.fromEntries(fields)), names, warnings: [...warnings] };
}

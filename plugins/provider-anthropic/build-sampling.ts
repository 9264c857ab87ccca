import type { Json, JsonObject, Sampling } from "@pergola/sdk";
import type { ModelTraits } from "./model-traits.ts";
import type { ToolNames } from "./tool-names.ts";

interface Options {
  readonly traits: ModelTraits;
  readonly names: Pick<ToolNames, "sent">;
  readonly thinks: boolean;
  readonly hasTools: boolean;
  readonly unasked: readonly (keyof Sampling)[];
  readonly warn: (text: string) => void;
}

/** What the format does not have, by the names that callers know. */
const unknown: Readonly<Partial<Record<keyof Sampling, string>>> = {
  repetitionPenalty: "repetition_penalty",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
  seed: "seed",
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Newer models refuse both fields, and all but the oldest take only one of them; thinking fixes them. */
function randomness({ temperature, topP }: Sampling, { traits, thinks, unasked, warn }: Options): JsonObject {
  const wantsTopP = topP !== undefined && topP !== 1;
  const leave = (name: string, why: string): JsonObject => {
    warn(`${name} was left out: ${why}`);
    return {};
  };
  if (thinks || !traits.sampling) {
    const why = thinks ? "a model that thinks does not take it" : "the model does not take it";
    if (wantsTopP) leave("top_p", why);
    return temperature === undefined || unasked.includes("temperature") ? {} : leave("temperature", why);
  }
  if (wantsTopP) {
    if (temperature !== undefined && !unasked.includes("temperature"))
      leave("temperature", "only one of temperature and top_p is taken");
    return { top_p: topP };
  }
  if (temperature === undefined) return {};
  const near = Math.min(1, Math.max(0, temperature));
  if (near !== temperature) warn(`temperatures go from 0 to 1; ${near} was sent instead of ${temperature}`);
  return { temperature: near };
}

function stopSequences({ stop }: Sampling, warn: (text: string) => void): JsonObject {
  const given = typeof stop === "string" ? [stop] : (stop ?? []);
  const taken = given.filter((text) => text.trim() !== "");
  if (taken.length < given.length) warn("stop was left out where it is only white space");
  return taken.length === 0 ? {} : { stop_sequences: taken };
}

const choices: Readonly<Record<string, string>> = { auto: "auto", required: "any", any: "any", none: "none" };

/** `tool_choice` of the chat-completions format as an object of this one; undefined when it is none. */
function choiceOf(choice: Json | undefined, names: Pick<ToolNames, "sent">): JsonObject | undefined {
  if (typeof choice === "string")
    return choices[choice] === undefined ? undefined : { type: choices[choice] };
  if (!isObject(choice)) return undefined;
  const called = isObject(choice["function"]) ? choice["function"]["name"] : choice["name"];
  return typeof called === "string"
    ? { type: "tool", name: names.sent(called) }
    : choiceOf(choice["type"], names);
}

function toolChoice(
  { toolChoice: choice, parallelToolCalls: parallel }: Sampling,
  { names, thinks, hasTools, warn }: Options,
): JsonObject {
  if (!hasTools) return {};
  const wanted = choice === undefined ? undefined : choiceOf(choice, names);
  if (choice !== undefined && wanted === undefined)
    warn("tool_choice was left out: it is none that Anthropic knows");
  const forced = thinks && wanted !== undefined && wanted["type"] !== "auto" && wanted["type"] !== "none";
  if (forced) warn("tool_choice was left out: a model that thinks cannot be made to call a tool");
  const chosen = forced ? undefined : wanted;
  if (parallel !== false || chosen?.["type"] === "none")
    return chosen === undefined ? {} : { tool_choice: chosen };
  return { tool_choice: { ...(chosen ?? { type: "auto" }), disable_parallel_tool_use: true } };
}

function outputFormat({ responseFormat: format }: Sampling, { traits, warn }: Options): JsonObject {
  if (!isObject(format) || format["type"] === "text") return {};
  const { schema } = isObject(format["json_schema"]) ? format["json_schema"] : format;
  if (format["type"] === "json_schema" && isObject(schema) && traits.schemas)
    return { format: { type: "json_schema", schema } };
  warn("response_format was left out: the model only takes schemas, or none at all");
  return {};
}

/** The sampling fields in the format's words; what it does not know is left out, with a warning. */
export function buildSampling(
  sampling: Sampling,
  options: Options,
): { readonly fields: JsonObject; readonly output: JsonObject } {
  for (const [key, name] of Object.entries(unknown)) {
    if (sampling[key as keyof Sampling] !== undefined)
      options.warn(`${name} was left out: Anthropic does not take it`);
  }
  const fields = {
    ...randomness(sampling, options),
    ...stopSequences(sampling, options.warn),
    ...toolChoice(sampling, options),
    ...(sampling.user === undefined ? {} : { metadata: { user_id: sampling.user } }),
  };
  return { fields, output: outputFormat(sampling, options) };
}

import type { Json, JsonObject, ModelCall, Sampling } from "@pergola/sdk";
import { buildThinking } from "./build-thinking.ts";
import type { ModelTraits } from "./model-traits.ts";
import { reduceSchema } from "./reduce-schema.ts";
import { isObject } from "./values.ts";

type Warn = (text: string) => void;

const mostStops = 5;

/**
 * What Gemini does not take, by the names under which callers know it. Penalties are refused by all models
 * that are left.
 */
const unknown: Readonly<Partial<Record<keyof Sampling, string>>> = {
  repetitionPenalty: "repetition_penalty",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
  user: "user",
};

function temperatureOf({ temperature }: Sampling, warn: Warn): JsonObject {
  if (temperature === undefined) return {};
  const near = Math.min(2, Math.max(0, temperature));
  if (near !== temperature)
    warn(`Gemini takes temperatures from 0 to 2; ${near} was sent instead of ${temperature}`);
  return { temperature: near };
}

function stopsOf({ stop }: Sampling, warn: Warn): JsonObject {
  const stops = (typeof stop === "string" ? [stop] : (stop ?? [])).filter((text) => text !== "");
  if (stops.length > mostStops) warn(`Gemini takes ${mostStops} stop sequences; the others were left out`);
  return stops.length === 0 ? {} : { stopSequences: stops.slice(0, mostStops) };
}

/** Versions before 3 refuse JSON beside tools; the later ones only where a call is forced. */
const refusesFormat = ({ tools, sampling }: ModelCall, { generation }: ModelTraits): boolean =>
  tools.length > 0 &&
  (generation < 3 ||
    (sampling.toolChoice !== undefined && sampling.toolChoice !== "auto" && sampling.toolChoice !== "none"));

function formatOf(call: ModelCall, traits: ModelTraits, warn: Warn): JsonObject {
  const format = call.sampling.responseFormat;
  const type = isObject(format) ? format["type"] : undefined;
  if (type === undefined || type === "text") return {};
  if (refusesFormat(call, traits)) {
    warn(`response_format was left out: Gemini does not take it beside tools for ${call.model}`);
    return {};
  }
  const described =
    isObject(format) && isObject(format["json_schema"]) ? format["json_schema"]["schema"] : undefined;
  return {
    responseMimeType: "application/json",
    ...(described === undefined ? {} : { responseSchema: reduceSchema(described) }),
  };
}

function warnOfUnknown({ sampling, tools, model }: ModelCall, warn: Warn): void {
  const left = (Object.keys(unknown) as (keyof Sampling)[]).filter(
    (key) => sampling[key] !== undefined && sampling[key] !== 0,
  );
  const names = left.map((key) => unknown[key]);
  if (sampling.parallelToolCalls === false && tools.length > 0) names.push("parallel_tool_calls");
  for (const name of names) warn(`${name} was left out: Gemini does not take it for ${model}`);
}

/** `generationConfig`; what Gemini does not take is left out, with a warning. */
export function buildGeneration(call: ModelCall, traits: ModelTraits, warn: Warn): JsonObject {
  const { topP, maxTokens, seed } = call.sampling;
  warnOfUnknown(call, warn);
  const thinkingConfig = buildThinking(call, traits, warn);
  const named: Readonly<Record<string, Json | undefined>> = {
    topP,
    maxOutputTokens: maxTokens,
    seed,
    thinkingConfig,
  };
  return {
    ...temperatureOf(call.sampling, warn),
    ...(Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as JsonObject),
    ...stopsOf(call.sampling, warn),
    ...formatOf(call, traits, warn),
  };
}

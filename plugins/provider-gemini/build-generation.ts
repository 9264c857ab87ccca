import { defined, type JsonObject, type ModelCall, type Sampling } from "@pergola/sdk";
import {
  clampTemperature,
  readResponseFormat,
  readToolChoice,
  samplingNames,
  nonEmpty,
  type Warn,
} from "@pergola/kit-provider";
import { buildThinking } from "./build-thinking.ts";
import type { ModelTraits } from "./model-traits.ts";
import { reduceSchema } from "./reduce-schema.ts";

const mostStops = 5;
const temperatures = { least: 0, most: 2 };

/** What Gemini does not take. Penalties are refused by every model it still serves. */
const unknown = ["repetitionPenalty", "presencePenalty", "frequencyPenalty", "user", "contextSize"] as const;

function temperatureOf({ temperature }: Sampling, warn: Warn): number | undefined {
  if (temperature === undefined) return undefined;
  return clampTemperature(temperature, temperatures, "Gemini", warn);
}

function stopsOf({ stop }: Sampling, warn: Warn): readonly string[] | undefined {
  const stops = [stop ?? []].flat().filter((text) => text !== "");
  if (stops.length > mostStops) warn(`Gemini takes ${mostStops} stop sequences; the others were left out`);
  return nonEmpty(stops.slice(0, mostStops));
}

/** Versions before 3 refuse JSON beside tools; the later ones only where a call is forced. */
export function refusesFormat({ tools, sampling }: ModelCall, { generation }: ModelTraits): boolean {
  if (tools.length === 0) return false;
  const mode = readToolChoice(sampling.toolChoice)?.mode ?? "auto";
  return generation < 3 || (mode !== "auto" && mode !== "none");
}

function formatOf(call: ModelCall, traits: ModelTraits, warn: Warn): JsonObject {
  const { type, schema } = readResponseFormat(call.sampling.responseFormat);
  if (type === "text") return {};
  if (refusesFormat(call, traits)) {
    warn(`response_format was left out: Gemini does not take it beside tools for ${call.model}`);
    return {};
  }
  return {
    responseMimeType: "application/json",
    ...(schema !== undefined && { responseSchema: reduceSchema(schema) }),
  };
}

function warnOfUnknown({ sampling, tools, model }: ModelCall, warn: Warn): void {
  const names = unknown.filter((key) => sampling[key]).map((key) => samplingNames[key]);
  if (sampling.parallelToolCalls === false && tools.length > 0) names.push("parallel_tool_calls");
  for (const name of names) warn(`${name} was left out: Gemini does not take it for ${model}`);
}

/** `generationConfig`; what Gemini does not take is left out, with a warning. */
export function buildGeneration(call: ModelCall, traits: ModelTraits, warn: Warn): JsonObject {
  const { sampling } = call;
  warnOfUnknown(call, warn);
  const config = defined({
    temperature: temperatureOf(sampling, warn),
    topP: sampling.topP,
    maxOutputTokens: sampling.maxTokens,
    seed: sampling.seed,
    thinkingConfig: buildThinking(call, traits, warn),
    stopSequences: stopsOf(sampling, warn),
  });
  return { ...config, ...formatOf(call, traits, warn) };
}

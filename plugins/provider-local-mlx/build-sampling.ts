import type { Json, JsonObject, ModelCall, Sampling } from "@pergola/sdk";
import { readResponseFormat, readToolChoice, samplingNames, type Warn } from "@pergola/kit-provider";

/** What the server takes, by its names. */
const taken: Partial<Record<keyof Sampling, string>> = {
  temperature: "temperature",
  topP: "top_p",
  maxTokens: "max_tokens",
  repetitionPenalty: "repetition_penalty",
  stop: "stop",
  seed: "seed",
};

/** Whether a field asks for nothing but what the model does anyway. */
function isUsual(key: keyof Sampling, value: Json, hasTools: boolean): boolean {
  if (key === "responseFormat") return readResponseFormat(value).type === "text";
  if (key === "parallelToolCalls") return !hasTools || value === true;
  if (key !== "toolChoice") return false;
  // Where none may be called, none are offered.
  return !hasTools || ["auto", "none"].includes(readToolChoice(value)?.mode ?? "");
}

/**
 * The sampling fields as the server names them; what it does not know is left out, with a warning where
 * somebody asked for it.
 */
export function buildSampling(
  { sampling, defaultedSampling = [], tools }: ModelCall,
  warn: Warn,
): JsonObject {
  const fields: Record<string, Json> = {};
  for (const key of Object.keys(samplingNames) as (keyof Sampling)[]) {
    const value = sampling[key];
    if (value === undefined) continue;
    const name = taken[key];
    if (name !== undefined) fields[name] = value;
    else if (!defaultedSampling.includes(key) && !isUsual(key, value, tools.length > 0))
      warn(`${samplingNames[key]} was left out: MLX does not take it`);
  }
  return fields;
}

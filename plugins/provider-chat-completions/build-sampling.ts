import type { Json, ModelCall, Sampling } from "@pergola/sdk";
import type { Preset } from "./preset.ts";

type Fields = Readonly<Record<string, Json>>;

/** The names under which callers know the fields; warnings speak of these. */
const names: Readonly<Record<keyof Sampling, string>> = {
  temperature: "temperature",
  topP: "top_p",
  maxTokens: "max_tokens",
  repetitionPenalty: "repetition_penalty",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
  stop: "stop",
  seed: "seed",
  responseFormat: "response_format",
  toolChoice: "tool_choice",
  parallelToolCalls: "parallel_tool_calls",
  user: "user",
};

/** Fields that mean something only beside tools. */
const ofTools: ReadonlySet<keyof Sampling> = new Set(["toolChoice", "parallelToolCalls"]);

const knows = (
  { sampling, fixed, toolChoices }: Preset,
  key: keyof Sampling,
  value: Json,
  model: string,
): boolean => {
  if (sampling[key] === undefined || (fixed?.models.test(model) === true && fixed.fields.includes(key)))
    return false;
  return key !== "toolChoice" || toolChoices === undefined || toolChoices.includes(value as string);
};

function clamped(
  { name, temperature }: Preset,
  key: keyof Sampling,
  value: Json,
  warn: (text: string) => void,
): Json {
  if (key !== "temperature" || temperature === undefined || typeof value !== "number") return value;
  const near = Math.min(temperature.most, Math.max(temperature.least, value));
  if (near !== value)
    warn(
      `${name} takes temperatures from ${temperature.least} to ${temperature.most}; ${near} was sent instead of ${value}`,
    );
  return near;
}

/**
 * The sampling fields as the vendor names them; what it does not know is left out, with a warning where
 * somebody asked for it.
 */
export function buildSampling(
  { sampling, unasked = [], tools, model }: ModelCall,
  preset: Preset,
  warn: (text: string) => void,
): Fields {
  const fields: Record<string, Json> = {};
  for (const key of Object.keys(names) as (keyof Sampling)[]) {
    const value = sampling[key];
    if (value === undefined || (ofTools.has(key) && tools.length === 0)) continue;
    const wire = preset.sampling[key];
    if (wire !== undefined && knows(preset, key, value, model))
      fields[wire] = clamped(preset, key, value, warn);
    else if (!unasked.includes(key))
      warn(`${names[key]} was left out: ${preset.name} does not take it for ${model}`);
  }
  return fields;
}

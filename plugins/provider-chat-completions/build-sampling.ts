import type { Json, JsonObject, ModelCall, Sampling } from "@pergola/sdk";
import { clampTemperature, readResponseFormat, samplingNames, type Warn } from "@pergola/kit-provider";
import type { Preset } from "./preset.ts";

/** Fields that mean something only beside tools. */
const toolFields: ReadonlySet<keyof Sampling> = new Set(["toolChoice", "parallelToolCalls"]);

function takes(preset: Preset, key: keyof Sampling, value: Json, model: string): boolean {
  const { fixed, toolChoices } = preset;
  const isFixed = fixed?.models.test(model) === true && fixed.fields.includes(key);
  if (isFixed) return false;
  return key !== "toolChoice" || toolChoices === undefined || toolChoices.includes(value as string);
}

/** The nearest form that the vendor takes: what it then does not say is said in words. */
function wireFormat({ formats }: Preset, value: Json): Json {
  const { type } = readResponseFormat(value);
  if (formats === undefined || formats === type || type === "text") return value;
  if (formats === "json_object") return { type: formats };
  return { type: formats, json_schema: { name: "answer", schema: { type: "object" } } };
}

function wireValue(preset: Preset, key: keyof Sampling, value: Json, warn: Warn): Json {
  const { name, temperature } = preset;
  if (key === "responseFormat") return wireFormat(preset, value);
  if (key !== "temperature" || temperature === undefined) return value;
  return clampTemperature(Number(value), temperature, name, warn);
}

/**
 * The sampling fields as the vendor names them; what it does not know is left out, with a warning where
 * somebody asked for it.
 */
export function buildSampling(call: ModelCall, preset: Preset, warn: Warn): JsonObject {
  const { sampling, defaultedSampling = [], tools, model } = call;
  const fields: Record<string, Json> = {};
  for (const key of Object.keys(samplingNames) as (keyof Sampling)[]) {
    const value = sampling[key];
    if (value === undefined || (toolFields.has(key) && tools.length === 0)) continue;
    const wireName = preset.sampling[key];
    if (wireName !== undefined && takes(preset, key, value, model)) {
      fields[wireName] = wireValue(preset, key, value, warn);
    } else if (!defaultedSampling.includes(key)) {
      warn(`${samplingNames[key]} was left out: ${preset.name} does not take it for ${model}`);
    }
  }
  return fields;
}

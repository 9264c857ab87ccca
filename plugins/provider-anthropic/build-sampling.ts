import { defined, isObject, type JsonObject, type Sampling } from "@pergola/sdk";
import {
  clampTemperature,
  readResponseFormat,
  readToolChoice,
  samplingNames,
  nonEmpty,
  type ToolChoice,
  type Warn,
} from "@pergola/kit-provider";
import type { ModelTraits } from "./model-traits.ts";
import type { ToolNames } from "./tool-names.ts";

interface Options {
  readonly traits: ModelTraits;
  readonly names: Pick<ToolNames, "wireName">;
  readonly thinks: boolean;
  readonly hasTools: boolean;
  readonly defaultedSampling: readonly (keyof Sampling)[];
  readonly warn: Warn;
}

/** What the format does not have. */
const unknown = ["repetitionPenalty", "presencePenalty", "frequencyPenalty", "seed", "contextSize"] as const;

const temperatures = { least: 0, most: 1 };

/** Newer models refuse both fields, and all but the oldest take only one of them; thinking fixes them. */
function randomness({ temperature, topP }: Sampling, options: Options): JsonObject {
  const { traits, thinks, defaultedSampling, warn } = options;
  const wantsTopP = topP !== undefined && topP !== 1;
  const wantsTemperature = temperature !== undefined && !defaultedSampling.includes("temperature");
  if (thinks || !traits.sampling) {
    const reason = thinks ? "a model that thinks does not take it" : "the model does not take it";
    if (wantsTopP) warn(`top_p was left out: ${reason}`);
    if (wantsTemperature) warn(`temperature was left out: ${reason}`);
    return {};
  }
  if (wantsTopP) {
    if (wantsTemperature) warn("temperature was left out: only one of temperature and top_p is taken");
    return { top_p: topP };
  }
  if (temperature === undefined) return {};
  return { temperature: clampTemperature(temperature, temperatures, "Anthropic", warn) };
}

function stopSequences({ stop }: Sampling, warn: Warn): readonly string[] | undefined {
  const sequences = [stop ?? []].flat();
  const filled = sequences.filter((text) => text.trim() !== "");
  if (filled.length < sequences.length) warn("stop was left out where it is only white space");
  return nonEmpty(filled);
}

function choiceField(choice: ToolChoice, names: Options["names"]): JsonObject {
  if (choice.mode === "tool") return { type: "tool", name: names.wireName(choice.name) };
  if (choice.mode === "required") return { type: "any" };
  return { type: choice.mode };
}

/** The tools that may be called; undefined leaves it to the vendor. */
function allowedTools(toolChoice: Sampling["toolChoice"], { thinks, warn }: Options): ToolChoice | undefined {
  const choice = readToolChoice(toolChoice);
  if (toolChoice !== undefined && choice === undefined)
    warn("tool_choice was left out: it is none that Anthropic knows");
  const isForced = choice?.mode === "required" || choice?.mode === "tool";
  if (!isForced || !thinks) return choice;
  warn("tool_choice was left out: a model that thinks cannot be made to call a tool");
  return undefined;
}

function toolChoice(sampling: Sampling, options: Options): JsonObject | undefined {
  if (!options.hasTools) return undefined;
  const choice = allowedTools(sampling.toolChoice, options);
  const oneByOne = sampling.parallelToolCalls === false && choice?.mode !== "none";
  const field = choice && choiceField(choice, options.names);
  if (!oneByOne) return field;
  return { ...(field ?? { type: "auto" }), disable_parallel_tool_use: true };
}

function outputFormat({ responseFormat }: Sampling, { traits, warn }: Options): JsonObject | undefined {
  const { type, schema } = readResponseFormat(responseFormat);
  if (type === "text") return undefined;
  if (type === "json_schema" && isObject(schema) && traits.schemas) {
    return { type: "json_schema", schema: schema as JsonObject };
  }
  warn("response_format was left out: the model only takes schemas, or none at all");
  return undefined;
}

/** The sampling fields in the format's words; what it does not know is left out, with a warning. */
export function buildSampling(
  sampling: Sampling,
  options: Options,
): { readonly fields: JsonObject; readonly format: JsonObject | undefined } {
  const { user } = sampling;
  for (const key of unknown) {
    if (sampling[key] !== undefined)
      options.warn(`${samplingNames[key]} was left out: Anthropic does not take it`);
  }
  const fields = defined({
    ...randomness(sampling, options),
    stop_sequences: stopSequences(sampling, options.warn),
    tool_choice: toolChoice(sampling, options),
    metadata: nonEmpty(defined({ user_id: user })),
  });
  return { fields, format: outputFormat(sampling, options) };
}

import { defined, type Json, type JsonObject, type ModelCall, type Sampling } from "@pergola/sdk";
import { fieldsOf, requestSettings, nonEmpty, omitFields, type Warn } from "@pergola/kit-provider";
import { buildSampling } from "../build-sampling.ts";
import type { BuiltRequest } from "../format.ts";
import type { Preset } from "../preset.ts";
import { repairMessages } from "../repair-messages.ts";
import { wireItems } from "./wire-items.ts";

/** What the format has; the rest is left out with a warning. */
const sampling: Readonly<Partial<Record<keyof Sampling, string>>> = {
  temperature: "temperature",
  topP: "top_p",
  maxTokens: "max_output_tokens",
  responseFormat: "text",
  toolChoice: "tool_choice",
  parallelToolCalls: "parallel_tool_calls",
  user: "user",
};

/** A `response_format`, whose schema is not wrapped in an object of its own here. */
function wireFormat(format: Json | undefined): JsonObject | undefined {
  if (format === undefined) return undefined;
  const { json_schema: schema, ...rest } = fieldsOf(format);
  return { format: { ...rest, ...fieldsOf(schema) } as JsonObject };
}

/** A `tool_choice`, whose function is not wrapped either. */
function wireChoice(choice: Json | undefined): Json | undefined {
  const called = fieldsOf(choice)["function"];
  if (called === undefined) return choice;
  return { type: "function", ...(fieldsOf(called) as JsonObject) };
}

/** Not strict: a schema that the vendor's strict mode does not know is taken all the same. */
const wireTool = ({ name, description, parameters }: ModelCall["tools"][number]) => ({
  type: "function",
  name,
  description,
  parameters,
  strict: false,
});

function reasoningOf({ thinking, model }: ModelCall, { name }: Preset, warn: Warn): JsonObject | undefined {
  if (thinking?.mode === "disabled")
    warn(`thinking disabled was left out: ${name} does not take it for ${model}`);
  if (thinking?.mode !== "enabled") return undefined;
  return defined({ effort: thinking.effort, summary: "auto" });
}

/**
 * The body of `POST /responses`; nothing is stored there. `extra` holds the provider's own settings `body`
 * and `leave_out`.
 */
export function buildRequest(call: ModelCall, preset: Preset, extra: JsonObject): BuiltRequest {
  const settings = requestSettings(extra);
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const { text, tool_choice: choice, ...fields } = buildSampling(call, { ...preset, sampling }, warn);
  const body = defined({
    model: call.model,
    input: repairMessages(call.messages, preset).flatMap(wireItems),
    tools: nonEmpty(call.tools.map(wireTool)),
    ...fields,
    text: wireFormat(text),
    tool_choice: wireChoice(choice),
    reasoning: reasoningOf(call, preset, warn),
    stream: true,
    store: false,
    ...settings.body,
  });
  return { body: JSON.stringify(omitFields(body as JsonObject, settings.leaveOut)), warnings };
}

import type { Json, JsonObject, ModelCall, Sampling } from "@pergola/sdk";
import { buildSampling } from "../build-sampling.ts";
import type { BuiltRequest } from "../format.ts";
import type { Preset } from "../preset.ts";
import { repairMessages } from "../repair-messages.ts";
import { isObject, wishesOf, without } from "../wishes.ts";
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

/** What chat requests wrap in an object of its own stands plainly here. */
function plain({ text, tool_choice: choice, ...fields }: JsonObject): JsonObject {
  const { json_schema: schema, ...format } = isObject(text) ? text : {};
  const named = isObject(choice) ? choice["function"] : undefined;
  return {
    ...fields,
    ...(text === undefined ? {} : { text: { format: { ...format, ...(isObject(schema) ? schema : {}) } } }),
    ...(choice === undefined
      ? {}
      : { tool_choice: isObject(named) ? { type: "function", ...named } : choice }),
  };
}

/** Not strict: a schema that the vendor's strict mode does not know is taken all the same. */
const wireTool = ({ name, description, parameters }: ModelCall["tools"][number]): Json =>
  ({ type: "function", name, description, parameters, strict: false }) as unknown as Json;

function wireThinking(
  { thinking, model }: ModelCall,
  { name }: Preset,
  warn: (text: string) => void,
): JsonObject {
  if (thinking?.mode === "disabled")
    warn(`thinking disabled was left out: ${name} does not take it for ${model}`);
  if (thinking?.mode !== "enabled") return {};
  return {
    reasoning: { ...(thinking.effort === undefined ? {} : { effort: thinking.effort }), summary: "auto" },
  };
}

/**
 * The body of `POST /responses`; nothing is stored there. `extra` holds the provider's own settings `body`
 * and `leave_out`.
 */
export function buildRequest(call: ModelCall, preset: Preset, extra: JsonObject): BuiltRequest {
  const wishes = wishesOf(extra);
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const body: JsonObject = {
    model: call.model,
    input: repairMessages(call.messages, preset).flatMap(wireItems),
    ...(call.tools.length === 0 ? {} : { tools: call.tools.map(wireTool) }),
    ...plain(buildSampling(call, { ...preset, sampling }, warn)),
    ...wireThinking(call, preset, warn),
    stream: true,
    store: false,
    ...wishes.body,
  };
  return { body: JSON.stringify(without(body, wishes.leaveOut)), warnings };
}

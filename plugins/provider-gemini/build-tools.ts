import type { Json, JsonObject, ModelCall, OfferedTool } from "@pergola/sdk";
import { reduceSchema } from "./reduce-schema.ts";
import { isObject } from "./values.ts";

const declared = new WeakMap<OfferedTool, JsonObject>();

/** A function without parameters has none: an object without properties is refused. */
function declare({ name, description, parameters }: OfferedTool): JsonObject {
  const reduced = reduceSchema(parameters);
  const has = Object.keys((reduced["properties"] as JsonObject | undefined) ?? {}).length > 0;
  return { name, description, ...(has ? { parameters: reduced } : {}) };
}

/** Tools are offered again with every call; each is translated once. */
function declarationOf(tool: OfferedTool): JsonObject {
  const declaration = declared.get(tool) ?? declare(tool);
  declared.set(tool, declaration);
  return declaration;
}

const modes: Readonly<Record<string, string>> = { auto: "AUTO", none: "NONE", required: "ANY", any: "ANY" };

/** `tool_choice` as callers write it: a word, or the one function that must be called. */
function callingConfig(choice: Json | undefined): JsonObject | undefined {
  if (typeof choice === "string") return modes[choice] === undefined ? undefined : { mode: modes[choice] };
  const called = isObject(choice) && isObject(choice["function"]) ? choice["function"]["name"] : undefined;
  return typeof called === "string" ? { mode: "ANY", allowedFunctionNames: [called] } : undefined;
}

/** The fields `tools` and `toolConfig`; neither where no tool is offered. */
export function buildTools(
  { tools, sampling: { toolChoice } }: ModelCall,
  warn: (text: string) => void,
): JsonObject {
  if (tools.length === 0) return {};
  const functionCallingConfig = callingConfig(toolChoice);
  if (toolChoice !== undefined && functionCallingConfig === undefined)
    warn("tool_choice was left out: Gemini does not take this one");
  return {
    tools: [{ functionDeclarations: tools.map(declarationOf) }],
    ...(functionCallingConfig === undefined ? {} : { toolConfig: { functionCallingConfig } }),
  };
}

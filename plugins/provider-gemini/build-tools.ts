import { defined, type JsonObject, type ModelCall } from "@pergola/sdk";
import { memoizePerTool, readToolChoice, type ToolChoice, type Warn } from "@pergola/kit-provider";
import { reduceSchema } from "./reduce-schema.ts";

/** A function without parameters has none: an object without properties is refused. */
const declare = memoizePerTool(({ name, description, parameters }): JsonObject => {
  const reduced = reduceSchema(parameters);
  return { name, description, ...("properties" in reduced && { parameters: reduced }) };
});

const modes: Readonly<Record<ToolChoice["mode"], string>> = {
  auto: "AUTO",
  none: "NONE",
  required: "ANY",
  tool: "ANY",
};

function callingConfig(choice: ToolChoice): JsonObject {
  const mode = modes[choice.mode];
  return choice.mode === "tool" ? { mode, allowedFunctionNames: [choice.name] } : { mode };
}

/** The fields `tools` and `toolConfig`; neither where no tool is offered. */
export function buildTools({ tools, sampling: { toolChoice } }: ModelCall, warn: Warn): JsonObject {
  if (tools.length === 0) return {};
  const choice = readToolChoice(toolChoice);
  if (toolChoice !== undefined && choice === undefined)
    warn("tool_choice was left out: Gemini does not take this one");
  return defined({
    tools: [{ functionDeclarations: tools.map((tool) => declare(tool)) }],
    toolConfig: choice && { functionCallingConfig: callingConfig(choice) },
  });
}

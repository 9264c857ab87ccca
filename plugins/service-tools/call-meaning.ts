import { parseArguments, stringOf, type JsonObject, type Tool } from "@pergola/sdk";
import type { ToolRequest } from "./check-call.ts";
import type { Toolbox } from "./toolbox.ts";

function argumentsIn({ arguments: given }: ToolRequest): JsonObject {
  try {
    return parseArguments(given);
  } catch {
    return {};
  }
}

/** The family and the operation that a call means, whether they exist or not. */
export function meaningOf(
  toolbox: Toolbox,
  request: ToolRequest,
): { readonly family: Tool | undefined; readonly operation: string } {
  const own = argumentsIn(request);
  const found = toolbox.lookUp(request.name, own);
  const named = found?.operation ?? stringOf(own["operation"]);
  const family = found?.entry.tool;
  if (found === undefined) return { family, operation: named };
  try {
    return { family, operation: toolbox.operationOf(found, { ...found.arguments, ...own }).name };
  } catch {
    return { family, operation: named };
  }
}

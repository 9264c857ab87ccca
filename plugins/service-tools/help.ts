import type { Operation, Tool } from "@pergola/sdk";
import { advertised, exampleCall } from "./describe-tool.ts";

function explain(operation: Operation): string {
  const { name, description, parameters, required } = operation;
  const lines = Object.entries(parameters).map(([key, { aliases: _, ...schema }]) => {
    const label = required.includes(key) ? `${key} (required)` : key;
    return `  ${label}: ${JSON.stringify(schema)}`;
  });
  return [`${name}: ${description}`, ...lines, `  A right call: ${exampleCall(operation)}`].join("\n");
}

/**
 * What a family's operations do and take, for a model that was offered them in short. Not counted, and not in
 * the enumeration.
 */
export const helpOf = (tool: Tool): Operation => ({
  name: "help",
  description: "Explain the operations.",
  effect: "none",
  hidden: true,
  parameters: { about: { type: "string", description: "one operation; default: all" } },
  required: [],
  run: async ({ about }: { readonly about?: string }) => {
    const operations = advertised(tool);
    const chosen = operations.find(({ name }) => name === about);
    const data = [chosen ?? operations].flat().map(explain).join("\n");
    return { data, message: tool.description };
  },
});

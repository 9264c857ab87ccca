import type { Operation, Tool } from "@pergola/sdk";
import { advertised, exampleCall } from "./describe-tool.ts";

function explain(operation: Operation): string {
  const { name, description, parameters, required } = operation;
  const shown = Object.entries(parameters).map(([key, { aliases: _, ...schema }]) => [key, schema] as const);
  const lines = shown.map(
    ([key, schema]) => `  ${key}${required.includes(key) ? " (required)" : ""}: ${JSON.stringify(schema)}`,
  );
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
    const chosen = operations.filter(({ name }) => about === undefined || name === about);
    return {
      data: (chosen.length > 0 ? chosen : operations).map(explain).join("\n"),
      message: tool.description,
    };
  },
});

import { ToolError, type JsonSchema, type Operation, type Tool } from "@pergola/sdk";
import { advertised, exampleCall } from "./describe-tool.ts";
import { purposeOf } from "./short-offers.ts";
import { deepSignatureOf, signatureOf, visibleParameters } from "./signature.ts";

/** Bytes of an explanation that is handed over in one piece: longer results are stored and read in pieces. */
const mostBytes = 16_000;
/** Characters that a purpose may have where there are many operations, the first that fit. */
const purposeLengths = [240, 120, 60, 30];

function linesOf(name: string, { aliases: _, ...schema }: JsonSchema, isRequired: boolean): string {
  const label = isRequired ? `${name} (required)` : name;
  return `  ${label}: ${JSON.stringify(schema)}`;
}

function explain(operation: Operation): string {
  const { description, parameters, required } = operation;
  const lines = Object.entries(visibleParameters(parameters)).map(([name, schema]) =>
    linesOf(name, schema, required.includes(name)),
  );
  const head = `${signatureOf(operation)}: ${description}`;
  return [head, ...lines, `  A right call: ${exampleCall(operation)}`].join("\n");
}

/** All operations, in the longest form that can be handed over in one piece. */
function explainAll(operations: readonly Operation[]): string {
  const list = (lineOf: (operation: Operation) => string): string => operations.map(lineOf).join("\n");
  const forms = [
    (): string => list(explain),
    ...purposeLengths.map(
      (length) => () => list((one) => `${deepSignatureOf(one)}: ${purposeOf(one.description, length)}`),
    ),
    (): string => list(signatureOf),
  ];
  for (const write of forms) {
    const text = write();
    if (Buffer.byteLength(text) <= mostBytes) return text;
  }
  return list(({ name }) => name);
}

function unknownOperation(tool: Tool, name: string): ToolError {
  const names = advertised(tool).map((operation) => operation.name);
  return new ToolError("invalid_value", `${tool.name} has no operation "${name}".`, {
    hint: `about is one of: ${names.join(", ")}. Leave it out to see all.`,
  });
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
    if (about === undefined) {
      const more = "Call help with about and the name of an operation for all of its fields.";
      return { data: explainAll(operations), message: `${tool.description} ${more}` };
    }
    const key = about.toLowerCase().replaceAll("-", "_").split(".").at(-1) ?? "";
    const chosen = operations.find(({ name, aliases = [] }) => name === key || aliases.includes(key));
    if (chosen === undefined) throw unknownOperation(tool, about);
    return { data: explain(chosen), message: tool.description };
  },
});

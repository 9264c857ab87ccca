import { isObject, type JsonObject, type OfferedTool } from "@pergola/sdk";

/** What a tool that takes free text is made of, as clients send it. */
export interface FreeFormTool {
  readonly name: string;
  readonly description: string;
  /** `text`, or `grammar` with `syntax` (`lark` or `regex`) and `definition`. */
  readonly format?: unknown;
}

function ruleOf(format: unknown): string {
  const { type, syntax, definition, grammar } = isObject(format) ? format : {};
  if (type !== "grammar") return "";
  const inner = isObject(grammar) ? grammar : { syntax, definition };
  return `The input must follow this ${String(inner["syntax"])} grammar:\n${String(inner["definition"])}`;
}

/** A tool of the caller that takes free text, as models see it: a function with one text as its argument. */
export function freeFormTool({ name, description, format }: FreeFormTool): OfferedTool {
  const parameters: JsonObject = {
    type: "object",
    properties: { input: { type: "string", description: "The whole input, as plain text" } },
    required: ["input"],
    additionalProperties: false,
  };
  const texts = [description, ruleOf(format)].filter((text) => text !== "");
  return { name, description: texts.join("\n\n"), parameters, callers: true, form: { freeForm: true } };
}

/** The arguments of a call of such a tool. */
export const freeFormArguments = (input: string): string => JSON.stringify({ input });

/** The text that a call of such a tool takes. */
export function freeFormInput(args: string): string {
  try {
    const { input } = JSON.parse(args) as { readonly input?: unknown };
    if (typeof input === "string") return input;
  } catch {
    // The arguments are the text itself.
  }
  return args;
}

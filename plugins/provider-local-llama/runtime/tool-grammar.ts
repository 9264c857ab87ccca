import type { JsonSchema, OfferedTool } from "@pergola/sdk";
import { readResponseFormat } from "@pergola/kit-provider";
import { JsonGrammar, literal, member } from "./json-grammar.ts";
import { callEnd } from "./marks.ts";

/**
 * What may follow the opening mark of a call: one of these tools by its name, with arguments that its schema
 * admits, and the closing mark.
 */
export function toolGrammar(tools: readonly OfferedTool[]): string {
  const grammar = new JsonGrammar();
  const calls = tools.map(({ name, parameters }) => {
    const args = grammar.valueOf({ ...parameters, type: "object" });
    const members = [member("name", literal(JSON.stringify(name))), member("arguments", args)];
    return grammar.add(`"{" space ${members.join(` space "," space `)} space "}"`);
  });
  return grammar.text(`space (${calls.join(" | ")}) space ${literal(callEnd)}`);
}

/** The grammar of an answer that must be JSON; undefined when it may be anything. */
export function answerGrammar(format: unknown): string | undefined {
  const { type, schema } = readResponseFormat(format);
  if (type !== "json_object" && type !== "json_schema") return undefined;
  const grammar = new JsonGrammar();
  const root = type === "json_object" ? "object" : grammar.valueOf(schema as JsonSchema | undefined);
  return grammar.text(root);
}

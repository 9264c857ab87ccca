import type { JsonSchema, OfferedTool } from "@pergola/sdk";
import { JsonGrammar, literal } from "./json-grammar.ts";
import { callEnd } from "./marks.ts";

/**
 * What may follow the opening mark of a call: one of these tools by its name, with arguments that its schema
 * admits, and the closing mark.
 */
export function toolGrammar(tools: readonly OfferedTool[]): string {
  const grammar = new JsonGrammar();
  const calls = tools.map(({ name, parameters }) => {
    const args = grammar.valueOf({ ...parameters, type: "object" });
    return grammar.add(
      `"{" space "\\"name\\"" space ":" space ${literal(JSON.stringify(name))} space "," space "\\"arguments\\"" space ":" space ${args} space "}"`,
    );
  });
  return grammar.text(`space (${calls.join(" | ")}) space ${literal(callEnd)}`);
}

/** The grammar of an answer that must be JSON; undefined when it may be anything. */
export function answerGrammar(format: unknown): string | undefined {
  const { type, json_schema: given } = (format ?? {}) as {
    readonly type?: unknown;
    readonly json_schema?: { readonly schema?: JsonSchema };
  };
  if (type !== "json_object" && type !== "json_schema") return undefined;
  const grammar = new JsonGrammar();
  return grammar.text(type === "json_object" ? "object" : grammar.valueOf(given?.schema));
}

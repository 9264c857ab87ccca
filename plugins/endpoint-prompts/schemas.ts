import type { JsonSchema, Properties } from "@pergola/sdk";

/** Text that says something. */
const said = (maxLength: number): JsonSchema => ({ type: "string", minLength: 1, maxLength, pattern: "\\S" });

export const name = said(200);
export const promptText = said;

export const promptParameter: Properties = {
  promptId: { type: "string", description: "UUID, or the word of a built-in one" },
};

export const pageQuery: Properties = {
  limit: { type: "integer", minimum: 1, maximum: 1000, description: "Without it, all" },
  offset: { type: "integer", minimum: 0, default: 0 },
};

export const count: JsonSchema = { type: "integer", description: "Prompts before paging" };

export const success: JsonSchema = { type: "object", properties: { success: { const: true } } };

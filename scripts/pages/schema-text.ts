import type { JsonSchema } from "@pergola/sdk";

type Schema = JsonSchema & { readonly $ref?: string };

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const nameIn = (reference: string): string => reference.replace(/^.*\//, "");

/** Where the page describes a schema that has a name. */
export const linkTo = (name: string): string => `[${name}](#${name.toLowerCase()})`;

const several = (schemas: readonly Schema[]): string => [...new Set(schemas.map(typeText))].join(" or ");

function plainType({ type, items }: Schema): string {
  const types = [type ?? "any"].flat();
  return types.map((word) => (word === "array" ? `list of ${typeText(items ?? {})}` : word)).join(" or ");
}

/** The type of a value, in a few words. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return linkTo(nameIn(schema.$ref));
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined && schema.type === undefined) return several(choices);
  return plainType(schema);
}

const limitTexts: readonly (readonly [string, (limit: unknown) => string])[] = [
  ["minimum", (limit) => `at least ${String(limit)}`],
  ["maximum", (limit) => `at most ${String(limit)}`],
  ["maxItems", (limit) => `at most ${String(limit)} of them`],
  ["default", (value) => `default \`${JSON.stringify(value)}\``],
];

function meaningOf(schema: Schema): string {
  const limits = limitTexts
    .filter(([keyword]) => schema[keyword] !== undefined)
    .map(([keyword, text]) => text(schema[keyword]));
  return [schema.description ?? "", ...limits].filter((text) => text !== "").join("; ");
}

/** One row of a table of fields. */
export const rowOf = (name: string, schema: Schema, isRequired: boolean): string =>
  `| \`${name}\`${isRequired ? " *" : ""} | ${cell(typeText(schema))} | ${cell(meaningOf(schema))} |`;

/** Rows of an object's fields, and of those of the plain objects inside it, at their dots. */
export function fieldRows(schema: Schema, prefix = ""): readonly string[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = field.properties === undefined ? field.items : field;
    const at = `${prefix}${name}`;
    const row = rowOf(at, field, required.has(name));
    if (inner?.properties === undefined) return [row];
    return [row, ...fieldRows(inner, inner === field ? `${at}.` : `${at}[].`)];
  });
}

import { defined, type JsonSchema } from "@pergola/sdk";

const textOf = (schema: JsonSchema): string => JSON.stringify(schema);

/** The same without what stands twice. */
export function distinct(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return [...new Map(schemas.map((schema) => [textOf(schema), schema])).values()];
}

const isPlain = ({ type, properties, items, anyOf, oneOf }: JsonSchema): boolean =>
  typeof type === "string" && [properties, items, anyOf, oneOf].every((part) => part === undefined);

/** The keywords on which all agree. */
function common([first = {}, ...others]: readonly JsonSchema[]): JsonSchema {
  const agreed = Object.entries(first).filter(([key, value]) =>
    others.every((other) => JSON.stringify(other[key]) === JSON.stringify(value)),
  );
  return Object.fromEntries(agreed);
}

function valuesOf(schemas: readonly JsonSchema[]): readonly unknown[] | undefined {
  if (schemas.some((schema) => schema.enum === undefined)) return undefined;
  return [...new Set(schemas.flatMap((schema) => schema.enum ?? []))];
}

/**
 * One schema for a parameter that several operations have: it admits what any of them takes, and keeps all of
 * their descriptions. Schemas marked `hidden` count only where there is no other.
 */
export function uniteSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  const visible = schemas.filter(({ hidden }) => hidden !== true);
  const [first = {}, ...others] = distinct(visible.map(({ aliases: _, ...schema }) => schema));
  if (visible.length === 0) return { hidden: true };
  if (others.length === 0) return first;
  const all = [first, ...others];
  const description = [...new Set(all.flatMap((schema) => schema.description ?? []))].join(" / ");
  const rest = distinct(all.map(({ description: _, ...schema }) => schema));
  const [only = {}, ...more] = rest;
  if (more.length === 0) return defined({ ...only, description: description || undefined });
  if (!rest.every((schema) => isPlain(schema) && schema.type === only.type)) return { anyOf: all };
  return defined({ ...common(rest), enum: valuesOf(rest), description: description || undefined });
}

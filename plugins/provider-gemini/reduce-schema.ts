import { defined, isObject, stringOf, type Json, type JsonObject } from "@pergola/sdk";
import { fieldsOf, listOf, objectsOf, nonEmpty, type Fields } from "@pergola/kit-provider";

interface Walk {
  readonly root: Fields;
  /** References that are being followed; one that leads back to itself ends as any object. */
  readonly open: readonly string[];
  readonly depth: number;
}

const deepest = 16;
const types: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "array", "object"]);

/** Per type, the keywords that mean the same to Gemini (https://ai.google.dev/api/caching#Schema). */
const keywords: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  array: ["minItems", "maxItems"],
};

const formats: Readonly<Record<string, readonly unknown[]>> = {
  string: ["date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

/**
 * A JSON Schema in the subset that Gemini accepts. References are followed, `oneOf` and lists of types become
 * `anyOf`, which then stands alone, null becomes `nullable`, `const` becomes `enum`; values that are no text
 * go into the description; the rest is left out, so that the schema says less but nothing else.
 */
export function reduceSchema(schema: unknown): JsonObject {
  return reduce(schema, { root: fieldsOf(schema), open: [], depth: 0 });
}

function reduce(schema: unknown, walk: Walk): JsonObject {
  if (!isObject(schema)) return { type: "string" };
  if (walk.depth > deepest) return { type: "object" };
  const node = joinAll(schema);
  const deeper = { ...walk, depth: walk.depth + 1 };
  if (typeof node["$ref"] === "string") return follow(node, node["$ref"], deeper);
  const branches = branchesOf(node);
  const values = branches.filter((branch) => !isNull(branch));
  const isNullable = values.length < branches.length || node["nullable"] === true;
  const nullable = isNullable && { nullable: true };
  const described = values.map((branch) => ({ ...describe(node), ...branch }));
  const [first, ...others] = described;
  if (first === undefined) return { ...reduceOne(node, deeper), ...nullable };
  if (others.length === 0) return { ...reduce(first, deeper), ...nullable };
  return { anyOf: described.map((branch) => ({ ...reduce(branch, deeper), ...nullable })) };
}

const descriptionOf = ({ description, title }: Fields): string => stringOf(description) || stringOf(title);

const describe = (node: Fields): JsonObject => defined({ description: descriptionOf(node) || undefined });

const isNull = (branch: Fields): boolean => branch["type"] === "null" || branch["const"] === null;

/** All of several schemas at once: their properties together. */
function joinAll({ allOf, ...node }: Fields): Fields {
  if (allOf === undefined) return node;
  if (!Array.isArray(allOf)) return { ...node, allOf };
  return objectsOf(allOf).map(joinAll).reduce(join, node);
}

function join(joined: Fields, part: Fields): Fields {
  const properties = { ...fieldsOf(joined["properties"]), ...fieldsOf(part["properties"]) };
  const required = [...listOf(joined["required"]), ...listOf(part["required"])];
  const hasProperties = Object.keys(properties).length > 0;
  return { ...part, ...joined, ...(hasProperties && { properties, required }) };
}

/**
 * What a node may be instead of one thing. Beside a type, alternatives only say which properties go together.
 */
function branchesOf({ type, anyOf, oneOf, ...rest }: Fields): readonly Fields[] {
  if (Array.isArray(type)) return listOf(type).map((one) => ({ ...rest, type: one }));
  if (type !== undefined) return [];
  return objectsOf(anyOf ?? oneOf);
}

function follow({ $ref: _, ...siblings }: Fields, reference: string, walk: Walk): JsonObject {
  if (walk.open.includes(reference)) return { type: "object", ...describe(siblings) };
  const target = resolve(reference, walk.root) ?? { type: "object" };
  return reduce({ ...target, ...siblings }, { ...walk, open: [...walk.open, reference] });
}

/** The schema that a JSON pointer such as `#/$defs/name` leads to. */
function resolve(reference: string, root: Fields): Fields | undefined {
  const [start, ...steps] = reference.split("/");
  if (!start?.startsWith("#")) return undefined;
  const keys = steps.map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  const target = keys.reduce<unknown>((found, key) => fieldsOf(found)[key], root);
  return isObject(target) ? target : undefined;
}

function typeOf(node: Fields): string {
  const { type, properties, items } = node;
  if (types.has(type)) return type as string;
  if (isObject(properties)) return "object";
  if (items !== undefined) return "array";
  const [value] = valuesOf(node);
  return typesOfValues[typeof value] ?? "string";
}

const typesOfValues: Readonly<Record<string, string>> = { number: "number", boolean: "boolean" };

function valuesOf(node: Fields): readonly unknown[] {
  if ("const" in node) return [node["const"]];
  return listOf(node["enum"]);
}

/** Only texts may be enumerated; other values go into the description. */
function choicesOf(node: Fields, type: string): JsonObject {
  const values = valuesOf(node).filter((value) => value !== null);
  const about = describe(node);
  if (values.length === 0) return about;
  const areTexts = values.every((value) => typeof value === "string" && value !== "");
  if (type === "string" && areTexts) return { ...about, enum: values as unknown as readonly string[] };
  const choices = `One of: ${values.map((value) => JSON.stringify(value)).join(", ")}.`;
  return { description: [descriptionOf(node), choices].filter(Boolean).join(" ") };
}

function reduceOne(node: Fields, walk: Walk): JsonObject {
  const type = typeOf(node);
  const names = keywords[type] ?? [];
  const limits = names.map((name) => [name, node[name]] as const);
  const format = formats[type]?.find((known) => known === node["format"]);
  const base = defined({ type, ...choicesOf(node, type), format, ...Object.fromEntries(limits) });
  const reduced = base as Readonly<Record<string, Json>>;
  if (type === "array") return { ...reduced, items: reduce(itemsOf(node), walk) };
  if (type === "object") return { ...reduced, ...propertiesOf(node, walk) };
  return reduced;
}

function itemsOf({ items, prefixItems }: Fields): unknown {
  if (isObject(items)) return items;
  if (Array.isArray(items)) return items[0];
  return listOf(prefixItems)[0];
}

function propertiesOf({ properties, required }: Fields, walk: Walk): JsonObject {
  const entries = Object.entries(fieldsOf(properties));
  if (entries.length === 0) return {};
  const known = new Set(entries.map(([name]) => name));
  const names = new Set(
    listOf(required)
      .map(stringOf)
      .filter((name) => known.has(name)),
  );
  const reduced = {
    properties: Object.fromEntries(entries.map(([name, property]) => [name, reduce(property, walk)])),
    required: nonEmpty([...names]),
  };
  return defined(reduced);
}

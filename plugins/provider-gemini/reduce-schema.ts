import type { Json, JsonObject } from "@pergola/sdk";
import { isObject, listOf, textOf, type Fields } from "./values.ts";

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
 * are told in the description; the rest is left out, so that the schema says less but nothing else.
 */
export function reduceSchema(schema: unknown): JsonObject {
  return reduce(schema, { root: isObject(schema) ? schema : {}, open: [], depth: 0 });
}

function reduce(given: unknown, walk: Walk): JsonObject {
  if (!isObject(given)) return { type: "string" };
  if (walk.depth > deepest) return { type: "object" };
  const node = joinAll(given);
  if (typeof node["$ref"] === "string") return follow(node, node["$ref"], walk);
  const deeper = { ...walk, depth: walk.depth + 1 };
  const branches = branchesOf(node);
  const real = branches.filter((branch) => !isNull(branch));
  const nullable: JsonObject =
    real.length < branches.length || node["nullable"] === true ? { nullable: true } : {};
  if (real.length === 0) return { ...single(node, deeper), ...nullable };
  const described = real.map((branch) => ({ ...aboutOf(node), ...branch }));
  if (described.length === 1) return { ...reduce(described[0], deeper), ...nullable };
  return { anyOf: described.map((branch) => ({ ...reduce(branch, deeper), ...nullable })) };
}

const aboutOf = ({ description, title }: Fields): Fields => {
  const text = textOf(description) || textOf(title);
  return text === "" ? {} : { description: text };
};

const isNull = (branch: Fields): boolean =>
  branch["type"] === "null" || ("const" in branch && branch["const"] === null);

/** All of several schemas at once: their properties together. */
function joinAll({ allOf, ...node }: Fields): Fields {
  if (!Array.isArray(allOf)) return allOf === undefined ? node : { ...node, allOf };
  return listOf(allOf)
    .filter(isObject)
    .map(joinAll)
    .reduce((joined, part) => {
      const properties = {
        ...(joined["properties"] as Fields | undefined),
        ...(part["properties"] as Fields | undefined),
      };
      const required = [...listOf(joined["required"]), ...listOf(part["required"])];
      return {
        ...part,
        ...joined,
        ...(Object.keys(properties).length === 0 ? {} : { properties, required }),
      };
    }, node);
}

/**
 * What a node may be instead of one thing. Beside a type, alternatives only say which properties go together.
 */
function branchesOf(node: Fields): readonly Fields[] {
  const { type, anyOf, oneOf, ...rest } = node;
  if (Array.isArray(type)) return listOf(type).map((one) => ({ ...rest, type: one }));
  return type === undefined ? listOf(anyOf ?? oneOf).filter(isObject) : [];
}

function follow(node: Fields, reference: string, walk: Walk): JsonObject {
  if (walk.open.includes(reference)) return { type: "object", ...(aboutOf(node) as JsonObject) };
  const target = reference
    .split("/")
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (found, step) => (isObject(found) ? found[step] : undefined),
      reference.startsWith("#") ? walk.root : undefined,
    );
  const { $ref: _, ...siblings } = node;
  const joined = { ...(isObject(target) ? target : { type: "object" }), ...siblings };
  return reduce(joined, { ...walk, open: [...walk.open, reference], depth: walk.depth + 1 });
}

function typeOf(node: Fields): string {
  if (types.has(node["type"])) return node["type"] as string;
  if (isObject(node["properties"])) return "object";
  if (node["items"] !== undefined) return "array";
  const [value] = valuesOf(node) ?? [""];
  return typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string";
}

const valuesOf = (node: Fields): readonly unknown[] | undefined =>
  "const" in node ? [node["const"]] : Array.isArray(node["enum"]) ? listOf(node["enum"]) : undefined;

/** Only texts may be enumerated. */
function choicesOf(node: Fields, type: string): JsonObject {
  const values = valuesOf(node)?.filter((value) => value !== null) ?? [];
  const about = textOf(aboutOf(node)["description"]);
  if (values.length === 0) return about === "" ? {} : { description: about };
  const texts = values.filter((value): value is string => typeof value === "string" && value !== "");
  if (type === "string" && texts.length === values.length)
    return { ...(about === "" ? {} : { description: about }), enum: texts };
  return {
    description: [about, `One of: ${values.map((value) => JSON.stringify(value)).join(", ")}.`]
      .filter(Boolean)
      .join(" "),
  };
}

function single(node: Fields, walk: Walk): JsonObject {
  const type = typeOf(node);
  const kept = (keywords[type] ?? [])
    .filter((keyword) => node[keyword] !== undefined)
    .map((keyword) => [keyword, node[keyword] as Json]);
  const format: JsonObject =
    formats[type]?.includes(node["format"]) === true ? { format: node["format"] as string } : {};
  const base = { type, ...choicesOf(node, type), ...format, ...(Object.fromEntries(kept) as JsonObject) };
  if (type === "array") return { ...base, items: reduce(itemsOf(node), walk) };
  return type === "object" ? { ...base, ...propertiesOf(node, walk) } : base;
}

const itemsOf = ({ items, prefixItems }: Fields): unknown =>
  isObject(items) ? items : listOf(Array.isArray(items) ? items : prefixItems)[0];

function propertiesOf({ properties, required }: Fields, walk: Walk): JsonObject {
  if (!isObject(properties) || Object.keys(properties).length === 0) return {};
  const named = listOf(required).filter(
    (name): name is string => typeof name === "string" && Object.hasOwn(properties, name),
  );
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, reduce(property, walk)]),
    ),
    ...(named.length === 0 ? {} : { required: [...new Set(named)] }),
  };
}

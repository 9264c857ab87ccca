import type { Json, JsonObject, JsonSchema, Properties } from "@pergola/sdk";

/** Parameters of an MCP tool as those of an operation. */
export interface Adopted {
  readonly parameters: Properties;
  readonly required: readonly string[];
  /** The server's name of a parameter that is called otherwise here. */
  readonly renamed: Readonly<Record<string, string>>;
}

const types = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);
const formats = new Set(["uri", "date", "date-time", "time", "email", "uuid"]);
const closed = new Set(["__proto__", "constructor", "prototype"]);
const deepest = 12;
/** Of schemas in schemas, references followed: a small text can stand for endlessly many. */
const most = 2000;

const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNumber = (value: Json): boolean => typeof value === "number";
const isPlain = (value: Json): boolean => typeof value !== "object" || value === null;
const isType = (value: Json): boolean => [value].flat().every((type) => types.has(type as string));

/**
 * What is taken over as it is, where it has the right form; the rest is for the server itself to check. No
 * patterns: they can hang.
 */
const taken: Readonly<Record<string, (value: Json) => boolean>> = {
  type: isType,
  description: (value) => typeof value === "string",
  default: isPlain,
  enum: (value) => Array.isArray(value) && value.length > 0 && value.every(isPlain),
  const: isPlain,
  format: (value) => formats.has(value as string),
  minimum: isNumber,
  maximum: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
};

/**
 * Reads one schema; references inside it are put in place, what is too deep or unknown accepts everything.
 */
class Reader {
  readonly #root: JsonObject;
  #read = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  schema(given: Json | undefined, depth = 0): JsonSchema {
    this.#read += 1;
    if (!isRecord(given) || depth > deepest || this.#read > most) return {};
    if (typeof given["$ref"] === "string") return this.schema(this.#referred(given["$ref"]), depth + 1);
    const plain = Object.entries(given).filter(([key, value]) => taken[key]?.(value) === true);
    const { items, properties, required, additionalProperties: rest } = given;
    return {
      ...Object.fromEntries(plain),
      ...(isRecord(items) && { items: this.schema(items, depth + 1) }),
      ...(isRecord(properties) && { properties: this.properties(properties, depth + 1) }),
      ...(isRecord(properties) && { required: namesIn(required, properties) }),
      ...(isRecord(rest) && { additionalProperties: this.schema(rest, depth + 1) }),
      ...this.#choices("anyOf", given, depth),
      ...this.#choices("oneOf", given, depth),
    };
  }

  properties(given: JsonObject, depth: number): Properties {
    const kept = Object.entries(given).filter(([name]) => !closed.has(name));
    return Object.fromEntries(kept.map(([name, schema]) => [name, this.schema(schema, depth)]));
  }

  #choices(key: "anyOf" | "oneOf", given: JsonObject, depth: number): JsonSchema {
    const list = given[key];
    if (!Array.isArray(list) || list.length === 0) return {};
    return { anyOf: (list as readonly Json[]).map((one) => this.schema(one, depth + 1)) };
  }

  #referred(pointer: string): Json | undefined {
    const steps = pointer.startsWith("#/") ? pointer.slice(2).split("/") : [];
    const own = (at: Json | undefined, step: string): Json | undefined =>
      isRecord(at) && Object.hasOwn(at, step) ? at[step] : undefined;
    return steps.length === 0 ? undefined : steps.map(unescaped).reduce(own, this.#root as Json | undefined);
  }
}

const unescaped = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");
const namesIn = (required: Json | undefined, properties: JsonObject): readonly string[] =>
  [required]
    .flat()
    .filter(
      (name): name is string =>
        typeof name === "string" && !closed.has(name) && Object.hasOwn(properties, name),
    );

/** `operation` is the host's own parameter: a server's goes by another name. */
const ownName = (name: string): string => (name.toLowerCase() === "operation" ? "operation_argument" : name);

/**
 * A tool's `inputSchema` as parameters. Whatever a hostile one holds, this ends soon and gives a schema that
 * the host can use.
 */
export function adoptSchema(inputSchema: JsonObject): Adopted {
  const given = isRecord(inputSchema["properties"]) ? inputSchema["properties"] : {};
  const own = Object.entries(new Reader(inputSchema).properties(given, 1)).map(
    ([name, schema]) => [ownName(name), schema, name] as const,
  );
  return {
    parameters: Object.fromEntries(own.map(([name, schema]) => [name, schema])),
    required: namesIn(inputSchema["required"], given).map(ownName),
    renamed: Object.fromEntries(
      own.filter(([name, , theirs]) => name !== theirs).map(([name, , theirs]) => [name, theirs]),
    ),
  };
}

import { isObject, type Json, type JsonObject, type JsonSchema, type Properties } from "@pergola/sdk";

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

const isNumber = (value: Json): boolean => typeof value === "number";
const isPlain = (value: Json): boolean => typeof value !== "object" || value === null;
const isType = (value: Json): boolean => [value].flat().every((type) => types.has(type as string));

/**
 * Keywords that are copied if their value has the right form; the server itself checks the rest. Patterns are
 * left out: they can hang.
 */
const copied: ReadonlyMap<string, (value: Json) => boolean> = new Map(
  Object.entries({
    type: isType,
    description: (value) => typeof value === "string",
    default: isPlain,
    enum: (value) => Array.isArray(value) && value.length > 0 && value.every(isPlain),
    const: isPlain,
    examples: (value) => Array.isArray(value) && value.every(isPlain),
    format: (value) => formats.has(value as string),
    minimum: isNumber,
    maximum: isNumber,
    minLength: isNumber,
    maxLength: isNumber,
    minItems: isNumber,
    maxItems: isNumber,
  }),
);

/**
 * Reads one schema; references inside it are put in place, what is too deep or unknown accepts everything.
 */
class Reader {
  readonly #root: JsonObject;
  #read = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  schema(source: Json | undefined, depth = 0): JsonSchema {
    this.#read += 1;
    if (!isObject(source) || depth > deepest || this.#read > most) return {};
    if (typeof source["$ref"] === "string") return this.schema(this.#referred(source["$ref"]), depth + 1);
    const plain = Object.entries(source).filter(([key, value]) => copied.get(key)?.(value) === true);
    const { items, properties, required, additionalProperties: rest } = source;
    return {
      ...Object.fromEntries(plain),
      ...(isObject(items) && { items: this.schema(items, depth + 1) }),
      ...(isObject(properties) && { properties: this.properties(properties, depth + 1) }),
      ...(isObject(properties) && { required: namesIn(required, properties) }),
      ...(isObject(rest) && { additionalProperties: this.schema(rest, depth + 1) }),
      ...this.#choices("anyOf", source, depth),
      ...this.#choices("oneOf", source, depth),
    };
  }

  properties(source: JsonObject, depth: number): Properties {
    const open = Object.entries(source).filter(([name]) => !closed.has(name));
    return Object.fromEntries(open.map(([name, schema]) => [name, this.schema(schema, depth)]));
  }

  #choices(key: "anyOf" | "oneOf", source: JsonObject, depth: number): JsonSchema {
    const list = source[key];
    if (!Array.isArray(list) || list.length === 0) return {};
    return { anyOf: (list as readonly Json[]).map((one) => this.schema(one, depth + 1)) };
  }

  #referred(pointer: string): Json | undefined {
    const steps = pointer.startsWith("#/") ? pointer.slice(2).split("/") : [];
    const own = (at: Json | undefined, step: string): Json | undefined => {
      if (!isObject(at) || !Object.hasOwn(at, step)) return undefined;
      return at[step];
    };
    if (steps.length === 0) return undefined;
    return steps.map(unescaped).reduce(own, this.#root as Json | undefined);
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
function ownName(name: string): string {
  if (name.toLowerCase() === "operation") return "operation_argument";
  return name;
}

/**
 * A tool's `inputSchema` as parameters. Whatever a hostile one holds, this ends soon and gives a schema that
 * the host can use.
 */
export function adoptSchema(inputSchema: JsonObject): Adopted {
  const properties = isObject(inputSchema["properties"]) ? inputSchema["properties"] : {};
  const own = Object.entries(new Reader(inputSchema).properties(properties, 1)).map(
    ([name, schema]) => [ownName(name), schema, name] as const,
  );
  return {
    parameters: Object.fromEntries(own.map(([name, schema]) => [name, schema])),
    required: namesIn(inputSchema["required"], properties).map(ownName),
    renamed: Object.fromEntries(
      own.filter(([name, , theirs]) => name !== theirs).map(([name, , theirs]) => [name, theirs]),
    ),
  };
}

import { isObject, type JsonSchema } from "@pergola/sdk";

type Schema = Readonly<Record<string, unknown>>;

const primitives: Readonly<Record<string, string>> = {
  space: String.raw`[ \n]{0,2}`,
  char: String.raw`[^"\\\x00-\x1F\x7F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})`,
  string: `"\\"" char* "\\""`,
  integer: `"-"? ("0" | [1-9] [0-9]{0,15})`,
  number: `integer ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,3})?`,
  boolean: `"true" | "false"`,
  null: `"null"`,
  member: `string space ":" space value`,
  object: `"{" space (member (space "," space member)*)? space "}"`,
  array: `"[" space (value (space "," space value)*)? space "]"`,
  value: `object | array | string | number | boolean | null`,
};

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0;

/** Longer texts are not held to their length: the grammar would grow with it. */
const longest = 64;

/** A text that stands in the output as it is. */
export const literal = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;

/** A member of an object: its name as JSON text, and a rule for its value. */
export const member = (name: string, value: string): string =>
  `${literal(JSON.stringify(name))} space ":" space ${value}`;

/**
 * Rules of a GBNF grammar (llama.cpp) that admit the JSON texts a JSON schema admits, as far as a grammar can
 * tell: types, `enum`, `const`, unions, required and optional properties in the schema's order, items. What
 * it cannot tell (patterns, ranges, references) it admits.
 */
export class JsonGrammar {
  readonly #rules = new Map<string, string>(Object.entries(primitives));

  /** Adds a rule and gives its name. */
  add(body: string): string {
    const name = `r${this.#rules.size}`;
    this.#rules.set(name, body);
    return name;
  }

  text(root: string): string {
    return [`root ::= ${root}`, ...[...this.#rules].map(([name, body]) => `${name} ::= ${body}`)].join("\n");
  }

  /** What stands for a value of this schema in a rule. */
  valueOf(schema: JsonSchema | boolean | undefined, depth = 0): string {
    if (!isObject(schema) || depth > 16) return "value";
    const { const: constant, enum: choices, anyOf, oneOf, type } = schema;
    if (constant !== undefined) return literal(JSON.stringify(constant));
    if (isList(choices)) return this.#oneOf(choices.map((choice) => literal(JSON.stringify(choice))));
    const types = isList(type) && type.map((one) => ({ ...schema, type: one }));
    const branches = anyOf ?? oneOf ?? types;
    if (!isList(branches)) return this.#typed(schema, depth);
    return this.#oneOf(branches.map((branch) => this.valueOf(branch as JsonSchema, depth + 1)));
  }

  #oneOf(choices: readonly string[]): string {
    if (choices.length === 1) return choices[0]!;
    return this.add([...new Set(choices)].join(" | "));
  }

  #typed(schema: Schema, depth: number): string {
    const { type, properties, items, minItems, maxLength } = schema;
    if (properties !== undefined && type !== "array") return this.#object(schema, depth);
    if (type === "array" && items !== undefined) {
      const item = this.valueOf(items as JsonSchema, depth + 1);
      const some = `${item} (space "," space ${item})*`;
      if (Number(minItems) > 0) return this.add(`"[" space ${some} space "]"`);
      return this.add(`"[" space (${some})? space "]"`);
    }
    if (type === "string" && typeof maxLength === "number" && maxLength <= longest)
      return this.add(`"\\"" char{0,${maxLength}} "\\""`);
    if (typeof type === "string" && type in primitives) return type;
    return "value";
  }

  /** Required properties first; each optional one may be left out, and what follows it not. */
  #object({ properties, required }: Schema, depth: number): string {
    const named = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
    const needed = new Set(isList(required) ? required : []);
    const pair = ([key, schema]: readonly [string, JsonSchema]): string =>
      member(key, this.valueOf(schema, depth + 1));
    const first = named.filter(([key]) => needed.has(key)).map(pair);
    const optional = named.filter(([key]) => !needed.has(key)).map(pair);
    return this.add(`"{" space ${this.#members(first, optional)} space "}"`);
  }

  #members(first: readonly string[], optional: readonly string[]): string {
    if (first.length === 0) return this.#anyOf(optional);
    return `${first.join(` space "," space `)} ${this.#tail(optional)}`;
  }

  /** Any of the pairs, in order, each after a comma. */
  #tail(pairs: readonly string[]): string {
    return pairs.map((pair) => this.add(`(space "," space ${pair})?`)).join(" ");
  }

  /** Any of the pairs, in order, or none. */
  #anyOf(pairs: readonly string[]): string {
    let [tail, choices] = ["", [] as readonly string[]];
    for (const pair of pairs.toReversed()) {
      const own = this.add(pair);
      choices = [`${own} ${tail}`, ...choices];
      tail = `${this.add(`(space "," space ${own})?`)} ${tail}`;
    }
    if (choices.length === 0) return `""`;
    return `(${this.add(choices.join(" | "))})?`;
  }
}

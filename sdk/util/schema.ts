import type { Json, JsonObject } from "./json.ts";

/**
 * `path` is like `messages[0].role`, or empty; `keyword` is JSON Schema's; `message` follows the path in a
 * sentence: `must be a string`.
 */
export interface Fault {
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/**
 * The part of JSON Schema (2020-12) that parameters, bodies and settings use. Four annotations are Pergola's
 * own: `aliases`, other spellings accepted for the property, `hidden`, `documentedAs`, and the formats `path`
 * and `uri`, which tell the policy and the door that a string names a file or an address.
 */
export interface JsonSchema {
  readonly type?:
    "string" | "number" | "integer" | "boolean" | "array" | "object" | "null" | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly aliases?: readonly string[];
  /** Taken, but not shown to models. */
  readonly hidden?: boolean;
  /** What the OpenAPI document has in its place, where the route itself reads what is inside. */
  readonly documentedAs?: JsonSchema;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly [keyword: string]: unknown;
}

/** The properties of a JSON Schema, by name. */
export type Properties = Readonly<Record<string, JsonSchema>>;

interface PlainTypes {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

type ArrayOf<S> = S extends { readonly items: infer I } ? readonly FromSchema<I>[] : readonly Json[];

type RequiredOf<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

type ObjectOf<S> = S extends { readonly properties: infer P } ? FromProperties<P, RequiredOf<S>> : JsonObject;

/** Distributes over `T`, the schema's type or one of several. */
type OfType<S, T> = T extends keyof PlainTypes
  ? PlainTypes[T]
  : T extends "array"
    ? ArrayOf<S>
    : T extends "object"
      ? ObjectOf<S>
      : Json;

/** The TypeScript type that a schema describes. What it cannot read is `Json`. */
export type FromSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: readonly (infer T)[] }
      ? OfType<S, T>
      : S extends { readonly type: infer T }
        ? OfType<S, T>
        : S extends { readonly anyOf: readonly (infer A)[] }
          ? FromSchema<A>
          : Json;

type WithDefault<P> = { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never }[keyof P];

/** Required properties and those with a default are present; the others may be missing. */
export type FromProperties<P, R> = {
  readonly [K in keyof P as K extends R | WithDefault<P> ? K : never]: FromSchema<P[K]>;
} & {
  readonly [K in keyof P as K extends R | WithDefault<P> ? never : K]?: FromSchema<P[K]>;
};

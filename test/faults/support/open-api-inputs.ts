/** The parts of a JSON schema that inputs are made from. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly example?: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** A route with what its requests consist of. */
export interface InputRoute {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body?: Schema;
}

/** One request that is wrong. */
export interface BadInput {
  readonly method: string;
  readonly route: string;
  readonly body?: string;
}

const methods = ["get", "post", "put", "patch", "delete"];

/** Every route of the document. Those of MCP speak another language. */
export function routesIn({ paths }: OpenApi): readonly InputRoute[] {
  return Object.entries(paths)
    .filter(([path]) => path !== "/mcp")
    .flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method];
        if (operation === undefined) return [];
        const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
        const body = operation.requestBody?.content?.["application/json"]?.schema;
        return [{ method: method.toUpperCase(), path, query: query.map(({ name }) => name), body }];
      }),
    );
}

const simple: Readonly<Record<string, unknown>> = { integer: 1, number: 1, boolean: true };

/** Makes values that fit a schema as far as they must, with those fields alone that are required. */
export class Samples {
  readonly #schemas: Readonly<Record<string, Schema>>;

  constructor({ components }: OpenApi) {
    this.#schemas = components?.schemas ?? {};
  }

  resolve(schema: Schema): Schema {
    const name = schema.$ref?.split("/").at(-1);
    if (name !== undefined) return this.resolve(this.#schemas[name] ?? {});
    const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
    return first === undefined || schema.properties !== undefined ? schema : this.resolve(first);
  }

  valid(given: Schema, depth = 0): unknown {
    const schema = this.resolve(given);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return schema.enum[0];
    const type = [schema.type].flat()[0];
    if (type === "object" || schema.properties !== undefined) return this.#object(schema, depth);
    if (type === "array") return this.#list(schema, depth);
    return schema.minimum ?? simple[type ?? ""] ?? "x";
  }

  #list({ items }: Schema, depth: number): readonly unknown[] {
    return depth > 4 || items === undefined ? [] : [this.valid(items, depth + 1)];
  }

  #object({ properties = {}, required = [] }: Schema, depth: number): object {
    if (depth > 4) return {};
    const entries = required.map((name) => [
      name,
      name === "model" ? "default" : this.valid(properties[name] ?? {}, depth + 1),
    ]);
    return Object.fromEntries(entries) as object;
  }

  /** The places of an object's fields, those of the objects and lists in it among them. */
  fields(given: Schema, depth = 0): readonly (readonly string[])[] {
    const { properties = {} } = this.resolve(given);
    return Object.entries(properties).flatMap(([name, property]) => {
      const inner = this.resolve(property);
      const below = inner.items === undefined ? inner : this.resolve(inner.items);
      const step = inner.items === undefined ? [name] : [name, "0"];
      const deeper = depth < 1 ? this.fields(below, depth + 1).map((place) => [...step, ...place]) : [];
      return [[name], ...deeper];
    });
  }
}

/** The value with something else at a place; what is missing on the way is made. */
export function withValue(value: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
  if (key === undefined) return put;
  if (key === "0") return [withValue(Array.isArray(value) ? value[0] : undefined, rest, put)];
  const object = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  return { ...object, [key]: withValue((object as Record<string, unknown>)[key], rest, put) };
}

const uuid = "00000000-0000-4000-8000-000000000001";

/** The path with something in the place of each of its parameters. */
export const filled = ({ path }: InputRoute, value = uuid): string => path.replaceAll(/\{[^}]+\}/g, value);

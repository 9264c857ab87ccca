import type { JsonSchema, Properties, Route } from "@pergola/sdk";

/** What the parts of a request to a route are checked against; undefined = not at all. */
export interface RouteSchemas {
  readonly params: JsonSchema | undefined;
  readonly query: JsonSchema | undefined;
  readonly body: JsonSchema | undefined;
}

const objectOf = (properties: Properties | undefined) =>
  properties && ({ type: "object", properties } as const);

/** Whether a route refuses keys that it does not know. */
const isStrict = ({ strict, method }: Route): boolean => strict ?? /^(PATCH|PUT|DELETE)$/.test(method);

/** The schema, taking no keys but those that it describes. A record that describes none takes any. */
function closed(schema: JsonSchema): JsonSchema {
  if (schema.properties === undefined || schema.additionalProperties !== undefined) return schema;
  const inner = Object.entries(schema.properties).map(([name, property]) => [name, closed(property)]);
  const properties = Object.fromEntries(inner) as Properties;
  return { ...schema, properties, unevaluatedProperties: false };
}

/** What the requests of a route are checked against. */
export function schemasOf(route: Route): RouteSchemas {
  const { params, query, body } = route;
  if (!isStrict(route)) return { params: objectOf(params), query: objectOf(query), body };
  return {
    params: objectOf(params),
    query: closed({ type: "object", properties: query ?? {} }),
    body: closed(body ?? { properties: {} }),
  };
}

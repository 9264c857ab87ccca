import { errorTable, type JsonSchema, type Properties, type Route } from "@pergola/sdk";

type GroupedRoute = Route & { readonly group: string };

const errorSchema: JsonSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["message", "type", "code"],
      properties: {
        message: { type: "string" },
        type: { enum: [...new Set(Object.values(errorTable).map(({ type }) => type))] },
        code: { enum: Object.keys(errorTable) },
        param: { type: "string", description: "The field at fault" },
        details: { type: "object" },
      },
    },
  },
};

const errorAnswer = {
  description: "The request failed",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

const parameterNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)…?\}/g)].map(([, name = ""]) => name);

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `GET /api/models/{id…}` → `getApiModelsById`; different for every method and path. */
function operationId(method: string, path: string): string {
  const words = path.split("/").flatMap((step) => {
    if (step.startsWith("{")) return ["By", ...parameterNames(step)];
    return step.split(/[^A-Za-z0-9]+/);
  });
  return method.toLowerCase() + words.map(capital).join("");
}

const queryParameters = (query: Properties = {}) =>
  Object.entries(query).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: false,
    description,
    schema,
  }));

const pathParameters = (path: string, params: Properties = {}) =>
  parameterNames(path).map((name) => {
    const { description, ...schema } = params[name] ?? { type: "string" };
    return { name, in: "path", required: true, description, schema };
  });

/** Routes without a described answer stream events. */
function success(response: JsonSchema | undefined) {
  if (response !== undefined)
    return { description: "Success", content: { "application/json": { schema: response } } };
  return {
    description: "A stream of server-sent events",
    content: { "text/event-stream": { schema: { type: "string" } } },
  };
}

function operation(route: GroupedRoute, path: string) {
  const { method, summary, group, params, query, body, response, open } = route;
  return {
    operationId: operationId(method, path),
    summary,
    tags: [group],
    parameters: [...pathParameters(path, params), ...queryParameters(query)],
    ...(body && {
      requestBody: {
        required: (body.required ?? []).length > 0,
        content: { "application/json": { schema: body } },
      },
    }),
    responses: { 200: success(response), default: errorAnswer },
    ...(open && { security: [] }),
  };
}

/**
 * The interface as an OpenAPI 3.1 document; aliases are paths of their own. A token is only asked of callers
 * that are not on this computer.
 */
export function openApi(routes: readonly GroupedRoute[], version: string) {
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const route of routes) {
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      (paths[path.replace("…", "")] ??= {})[route.method.toLowerCase()] = operation(route, path);
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Pergola", version, description: "A local chat-and-agent service" },
    servers: [{ url: "/" }],
    security: [{}, { token: [] }],
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "Not needed on the same computer by default" },
      },
    },
  };
}

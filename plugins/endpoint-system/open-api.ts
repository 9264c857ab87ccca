import { defined, type JsonSchema, type Route } from "@pergola/sdk";
import { Components } from "./components.ts";
import { commonFailure, responsesOf } from "./responses.ts";

type GroupedRoute = Route & { readonly group: string };

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

const parameter = (place: "query" | "path", name: string, schema: JsonSchema, components: Components) => {
  const { description, ...rest } = components.add(schema);
  return { name, in: place, required: place === "path", description, schema: rest as JsonSchema };
};

function parametersOf({ params = {}, query = {} }: Route, path: string, components: Components) {
  return [
    ...parameterNames(path).map((name) =>
      parameter("path", name, params[name] ?? { type: "string" }, components),
    ),
    ...Object.entries(query).map(([name, schema]) => parameter("query", name, schema, components)),
  ];
}

interface RequestBody {
  readonly required: boolean;
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;
}

function requestBody({ body, takes }: Route, components: Components): RequestBody | undefined {
  if (takes === "bytes")
    return { required: true, content: { "*/*": { schema: { type: "string", format: "binary" } } } };
  if (body === undefined) return undefined;
  const { examples, ...schema } = body as JsonSchema & { readonly examples?: readonly unknown[] };
  const example = examples?.[0];
  return {
    required: (body.required ?? []).length > 0,
    content: {
      "application/json": { schema: components.add(schema), ...(example !== undefined && { example }) },
    },
  };
}

interface Common {
  readonly components: Components;
  /** How any route fails. */
  readonly failure: JsonSchema;
}

function operation(route: GroupedRoute, path: string, { components, failure }: Common) {
  const { method, summary, description, group, scope } = route;
  return {
    operationId: operationId(method, path),
    summary,
    ...(description !== undefined && { description }),
    tags: [group],
    parameters: parametersOf(route, path, components),
    ...defined({ requestBody: requestBody(route, components) }),
    responses: responsesOf(route, failure, components),
    ...(scope === "open" && { security: [] }),
  };
}

/**
 * The interface as an OpenAPI 3.1 document; aliases are paths of their own. A token is only asked of callers
 * that are not on this computer.
 */
export function openApi(routes: readonly GroupedRoute[], version: string) {
  const components = new Components();
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  const failure = commonFailure(routes);
  components.add(failure);
  for (const route of routes) {
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const operations = (paths[path.replace("…", "")] ??= {});
      const method = route.method.toLowerCase();
      if (route.yields && operations[method] !== undefined) continue;
      operations[method] = operation(route, path, { components, failure });
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Pergola",
      version,
      description: "A local chat-and-agent service",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{}, { token: [] }],
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "Not needed on the same computer by default" },
      },
    },
  };
}

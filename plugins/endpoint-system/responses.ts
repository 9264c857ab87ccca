import { errorTable, type JsonSchema, type Route } from "@pergola/sdk";
import type { Components } from "./components.ts";

/** The body of every failure, unless a route has another form. */
export const errorSchema: JsonSchema = {
  title: "Error",
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
        details: { type: "object", description: "What else a program may want to know" },
      },
    },
  },
};

/** Codes with which any request can fail. */
const always = [
  "invalid_value",
  "invalid_api_key",
  "forbidden_host",
  "forbidden_origin",
  "remote_not_allowed",
  "insufficient_scope",
  "route_not_found",
  "rate_limited",
  "internal_error",
  "shutting_down",
  "storage_unavailable",
];

const whereParams = ["invalid_id", "not_found"];
const whereQuery = ["out_of_range"];
const whereBody = [
  "invalid_json",
  "missing_field",
  "out_of_range",
  "request_too_large",
  "unsupported_media_type",
];

/** Every code with which a route can fail. */
function codesOf({ method, path, query, failures = [] }: Route): readonly string[] {
  const codes = [
    ...(path.includes("{") ? whereParams : []),
    ...(query === undefined ? [] : whereQuery),
    ...(method === "GET" ? [] : whereBody),
    ...failures,
    ...always,
  ];
  return [...new Set(codes)];
}

const meanings: Readonly<Record<number, string>> = {
  200: "Success",
  201: "Made",
  202: "Taken; it goes on by itself",
  204: "Success, without a body",
};

const eventStream = "text/event-stream";

/** The body of a stream is text; its events stand in the extension. */
function mediaOf(type: string, schema: JsonSchema, components: Components): object {
  if (type !== eventStream) return { schema: components.add(schema) };
  return {
    schema: { type: "string", description: "Server-sent events; x-event-data describes their data" },
    "x-event-data": components.add(schema),
  };
}

function contentOf(media: Readonly<Record<string, JsonSchema>>, components: Components) {
  const entries = Object.entries(media).map(([type, schema]) => [type, mediaOf(type, schema, components)]);
  if (entries.length === 0) return {};
  return { content: Object.fromEntries(entries) as Record<string, object> };
}

/** An answer as the document describes it. */
export interface ResponseObject {
  readonly description: string;
  readonly content?: Readonly<Record<string, object>>;
}

/** Describes the success of a route that has none: generated clients and linters expect one. */
export const neverSent = "Never sent: the request always fails";

function successes(
  { response, answers }: Route,
  components: Components,
): readonly (readonly [status: string, ResponseObject])[] {
  const described: Record<string, Readonly<Record<string, JsonSchema>>> = { ...answers };
  if (response !== undefined) described[200] = { "application/json": response, ...described[200] };
  if (Object.keys(described).length === 0) {
    if (answers !== undefined) return [["200", { description: neverSent }]];
    // A route of before there were answers that describes none streams events.
    described[200] = { [eventStream]: {} };
  }
  return Object.entries(described).map(([status, media]) => [
    status,
    { description: meanings[Number(status)] ?? "Answered", ...contentOf(media, components) },
  ]);
}

/** The failures of any route: in the service's own form, and in that of the format that a request speaks. */
export function commonFailure(routes: readonly Route[]): JsonSchema {
  const others = routes.flatMap(({ dialect, failureSchema }) =>
    dialect && failureSchema ? [failureSchema] : [],
  );
  if (others.length === 0) return errorSchema;
  return { title: "Failure", anyOf: [errorSchema, ...others] };
}

/** Every answer of a route, by status. A request that never comes to its route fails as others do. */
export function responsesOf(
  route: Route,
  common: JsonSchema,
  components: Components,
): Record<string, ResponseObject> {
  const { failureSchema } = route;
  const failure = failureSchema === undefined ? common : { anyOf: [failureSchema, common] };
  const failed = contentOf({ "application/json": failure }, components);
  const responses = Object.fromEntries(successes(route, components));
  if (route.failures === undefined)
    return { ...responses, default: { description: "The request failed", ...failed } };
  const statuses = codesOf(route).map((code) => [code, String(errorTable[code]?.status ?? 500)] as const);
  for (const [, status] of statuses) {
    const codes = statuses.filter(([, other]) => other === status).map(([code]) => code);
    const own = responses[status] ?? { description: `Failed: ${codes.join(", ")}` };
    responses[status] = { ...own, content: { ...failed.content, ...own.content } };
  }
  return responses;
}

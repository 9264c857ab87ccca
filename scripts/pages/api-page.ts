import type { JsonSchema, Route } from "@pergola/sdk";
import { openApi } from "../../plugins/endpoint-system/open-api.ts";
import { neverSent } from "../../plugins/endpoint-system/responses.ts";
import { officialRoutes } from "./official-routes.ts";
import { fieldRows, rowOf, typeText } from "./schema-text.ts";

type Document = ReturnType<typeof openApi>;
type Operation = Document["paths"][string][string];
type Named = JsonSchema & { readonly $ref?: string };

interface Media {
  readonly schema: Named;
  readonly "x-event-data"?: Named;
}

const table = (rows: readonly string[]): readonly string[] =>
  rows.length === 0 ? [] : ["| Field | Type | Meaning |", "|---|---|---|", ...rows, ""];

function parameters({ parameters: list }: Operation): readonly string[] {
  const rows = list.map(({ name, schema, description, required }) =>
    rowOf(name, { ...schema, ...(description !== undefined && { description }) }, required),
  );
  return rows.length === 0 ? [] : ["Path and query:", "", ...table(rows)];
}

function requestBody({ requestBody: body }: Operation): readonly string[] {
  if (body === undefined) return [];
  const json = body.content["application/json"];
  if (json === undefined) return ["Body: bytes, of any type.", ""];
  const { schema, example } = json;
  const shown = example === undefined ? [] : ["```json", JSON.stringify(example, undefined, 2), "```", ""];
  return ["Body:", "", ...table(fieldRows(schema)), ...shown];
}

function mediaText(type: string, { schema, "x-event-data": event }: Media): string {
  if (event === undefined)
    return `${type === "application/json" ? "JSON" : `\`${type}\``}, ${typeText(schema)}`;
  return `a stream of events, ${typeText(event)}`;
}

/** The successful answers of an operation, and the fields of those that have no name. */
function successes({ responses }: Operation): readonly string[] {
  return Object.entries(responses)
    .filter(([status]) => status < "300")
    .flatMap(([status, { content = {}, description }]) => {
      if (description === neverSent) return ["Never succeeds.", ""];
      const media = Object.entries(content) as unknown as readonly (readonly [string, Media])[];
      const texts = media.map(([type, one]) => mediaText(type, one));
      const fields = media.flatMap(([, { schema }]) => fieldRows(schema));
      return [`Answers ${status}: ${texts.join("; or ") || "no body"}.`, "", ...table(fields)];
    });
}

/** The codes that are not every route's. */
const own = (codes: readonly string[] | undefined): readonly string[] =>
  codes === undefined || codes.length === 0
    ? []
    : [`Also fails with ${codes.map((code) => `\`${code}\``).join(", ")}.`, ""];

/** What a token needs for a route, or who else may. */
function scopeText({ scope, protected: isProtected = false }: Pick<Route, "scope" | "protected">): string {
  return `Scope: \`${scope}\`${isProtected ? ", and `server.remote_admin` from another computer" : ""}.`;
}

/** docs/api.md, from the routes of all official plugins. */
export async function apiPage(): Promise<string> {
  const routes = await officialRoutes();
  const document = openApi(
    routes.map((route) => ({ ...route, aliases: [] })),
    "",
  );
  const entry = (route: (typeof routes)[number]): readonly string[] => {
    const operation = document.paths[route.path.replace("…", "")]?.[route.method.toLowerCase()];
    if (operation === undefined) return [];
    const aliases = (route.aliases ?? []).map((path) => `\`${path}\``);
    return [
      `### ${route.method} ${route.path}`,
      "",
      `${route.summary}.${aliases.length > 0 ? ` Also ${aliases.join(", ")}.` : ""}`,
      "",
      scopeText(route),
      "",
      ...(route.description === undefined ? [] : [route.description, ""]),
      ...parameters(operation),
      ...requestBody(operation),
      ...successes(operation),
      ...own(route.failures),
    ];
  };
  const groups = [...new Set(routes.map(({ group }) => group))].toSorted();
  const shapes = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
    `### ${name}`,
    "",
    ...(schema.description === undefined ? [] : [`${schema.description}.`, ""]),
    ...(schema.anyOf ?? [schema]).flatMap((one) => {
      const { $ref } = one as Named;
      return $ref === undefined ? table(fieldRows(one)) : [`${typeText(one)}`, ""];
    }),
  ]);
  return [
    "# HTTP API",
    "",
    "All routes of the standard installation, made from the same table as `/openapi.json`. A field with",
    "a star is always there; in a request, it is required. Every route can also answer the errors 400, 401,",
    "403, 404, 429, 500 and 503, and those with a body 413 and 415: [all errors](errors.md).",
    "[Examples](examples.md) shows the main ones in curl, JavaScript and Python, and",
    "[Streaming](streams.md) each event of a stream.",
    "",
    "Scope says what a token needs: [scopes](remote-access.md#scopes). `open` needs no token; `owner` is for",
    "you at the service's own computer.",
    "",
    ...groups.map((group) => `- [${group}](#${group})`),
    "- [Shapes](#shapes)",
    "",
    ...groups.flatMap((group) => [
      `## ${group}`,
      "",
      ...routes.filter((route) => route.group === group).flatMap(entry),
    ]),
    "## Shapes",
    "",
    ...shapes,
  ].join("\n");
}

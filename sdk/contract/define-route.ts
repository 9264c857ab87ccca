import {
  type EndpointGroup,
  type EndpointRequest,
  type EndpointAnswer,
  type OptionalService,
  type Route,
  type RouteFacts,
  type ServicesWith,
} from "./endpoint.ts";
import { AppError } from "./errors.ts";
import type { Awaitable } from "../util/json.ts";
import type { FromProperties, FromSchema, JsonSchema, Properties } from "../util/schema.ts";

/** A request whose params, query and body have the types that the route's schemas describe. */
export interface RouteRequest<P, Q, B> extends Omit<EndpointRequest, "params" | "query" | "body"> {
  readonly params: FromProperties<P, keyof P>;
  readonly query: FromProperties<Q, never>;
  readonly body: FromSchema<B>;
}

/** What `defineRoute` takes. */
export interface RouteDefinition<P, Q, B, N extends OptionalService> extends RouteFacts {
  /** One schema for each `{name}` in the path. */
  readonly params?: P;
  /** Query parameters, all optional; those with a default are always present. */
  readonly query?: Q;
  readonly body?: B;
  readonly handle: (request: RouteRequest<P, Q, B>, services: ServicesWith<N>) => Awaitable<EndpointAnswer>;
}

/**
 * One route: what it takes, what it answers and its code side by side. The types of `params`, `query` and
 * `body` in `handle` are read off their schemas. Write the schemas in place, or as `const` objects: an
 * annotation with `Properties` or `JsonSchema` hides what they describe. A handler that counts on an optional
 * service says so, and its group names it in `needs`:
 *
 * ```ts
 * async handle({ params }, { topics }: ServicesWith<"topics">) { … }
 * ```
 */
export function defineRoute<
  const P extends Properties = Record<never, JsonSchema>,
  const Q extends Properties = Record<never, JsonSchema>,
  const B extends JsonSchema = JsonSchema,
  N extends OptionalService = never,
>(definition: RouteDefinition<P, Q, B, N>): Route<N> {
  return definition as unknown as Route<N>;
}

/** What `defineEndpoints` takes. */
export interface EndpointDefinition<N extends OptionalService> {
  /** The group's name in `endpoints.<group>.enabled`. */
  readonly group: string;
  /** An optional service that all routes of the group count on. */
  readonly needs?: N;
  readonly routes: readonly Route<NoInfer<N>>[];
}

/** What the plugin does that is missing. */
const duties: Readonly<Record<OptionalService, string>> = {
  memory: "keeps memory",
  downloads: "downloads models",
  prompts: "keeps prompts and personalities",
  topics: "keeps topics",
  folders: "keeps folders",
  files: "shows the files of conversations",
  todos: "keeps to-do lists",
  archive: "keeps what conversations have outgrown",
  transfer: "exports and imports conversations",
  changes: "records changes of files",
  events: "tells of changes",
  search: "searches messages",
  notices: "tells of ends and approvals",
  telemetry: "counts what runs do",
  schedules: "keeps schedules",
  instructions: "finds instructions and skills",
  mcpServers: "uses MCP servers",
  access: "checks tokens",
  doctor: "looks at the installation",
};

/**
 * The routes of a group. Where no plugin brings the service that the group `needs`, each of them answers
 * `route_not_found`.
 */
export function defineEndpoints<N extends OptionalService = never>({
  group,
  needs,
  routes,
}: EndpointDefinition<N>): EndpointGroup {
  const guarded = routes.map((route): Route => ({
    ...route,
    handle: (request, services) => {
      if (needs !== undefined && services[needs] === undefined)
        throw new AppError({
          code: "route_not_found",
          message: `No plugin that ${duties[needs]} is installed.`,
        });
      return route.handle(request, services as ServicesWith<N>);
    },
  }));
  return { group, routes: guarded };
}

import type { AppError } from "./errors.ts";
import type { DoorRequest } from "./hooks.ts";
import type { Caller, Scope } from "./run.ts";
import type { Services } from "./services.ts";
import type { Awaitable } from "../util/json.ts";
import type { JsonSchema, Properties } from "../util/schema.ts";

/** The HTTP methods that a route may have. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request that was routed, authenticated and checked against the schemas of its route. */
export interface EndpointRequest {
  /** Echoed or made; the log has it. */
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  /** Checked and coerced by the route's `query`. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Checked by the route's `body`, keys in canonical form. */
  readonly body: unknown;
  /** The body as it came, before keys were made canonical. */
  readonly rawBody: unknown;
  /** The body of a route that takes bytes, as it comes; a handler that leaves it closes the connection. */
  readonly bytes?: AsyncIterable<Uint8Array>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly caller: Caller;
  /** Throws `insufficient_scope` unless the caller has it: for what only some requests of a route need. */
  readonly requireScope: (scope: Scope) => void;
  /** Where it comes from, as `DoorRequest` has it. */
  readonly peer?: Pick<DoorRequest, "address" | "place" | "local" | "secure">;
  /** Where it arrived: `127.0.0.1:8080`. */
  readonly localAddress?: string;
  /** Aborts when the client goes away, and when its token ends. */
  readonly signal: AbortSignal;
  /** Closes the client's connection in the middle of its answer, as for one that does not read it. */
  readonly disconnect: () => void;
}

interface AnswerHead {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * JSON by default. `text` and `bytes` are sent as they are with `contentType`; `chunks` is text and `pieces`
 * are bytes sent piece by piece, the next piece read when the client has taken the last, and `ping` is the
 * text that is sent after `stream.ping_seconds` of silence; `events` is a stream of server-sent events.
 * `isEmpty`: headers alone, for 204 and 304.
 */
export type EndpointAnswer =
  | (AnswerHead & { readonly body: unknown })
  | (AnswerHead & { readonly text: string; readonly contentType: string })
  | (AnswerHead & { readonly bytes: Uint8Array; readonly contentType: string })
  | (AnswerHead & {
      readonly chunks: AsyncIterable<string>;
      readonly contentType: string;
      readonly ping?: string;
    })
  | (AnswerHead & { readonly pieces: AsyncIterable<Uint8Array>; readonly contentType: string })
  | (AnswerHead & { readonly isEmpty: true; readonly status: 204 | 304 })
  | (Pick<AnswerHead, "headers"> & { readonly events: AsyncIterable<ServerEvent> });

/** `data` is one line of text, mostly JSON. */
export interface ServerEvent {
  readonly data: string;
  readonly id?: string;
  readonly event?: string;
}

/** What is said of a route beside what it takes and does. */
export interface RouteFacts {
  readonly method: Method;
  /**
   * `/api/models/{id}`; `{id…}` takes the rest of the path, slashes included, where that fits the pattern of
   * its parameter.
   */
  readonly path: string;
  readonly aliases?: readonly string[];
  /**
   * Answers only while no other route has the method and the path: where the plugin that brings it is
   * missing, or its group is switched off. Without it, a path that is taken is a fault.
   */
  readonly yields?: boolean;
  /**
   * What a caller must be allowed to do. `open`: nothing, no token is asked for; `owner`: everything, which
   * no token allows. A route without it is left out.
   */
  readonly scope: Scope | "open" | "owner";
  /**
   * Of a `GET` with scope `open` whose answer is the same for everybody: a request without a credential is
   * answered without finding out whose it is, which takes milliseconds with each new connection. Its caller
   * is of kind `anyone`, the owner too.
   */
  readonly anonymous?: boolean;
  /** Refused to remote callers while `server.remote_admin` is off. */
  readonly protected?: boolean;
  /**
   * Default: JSON that says so. `untyped`: JSON whatever its Content-Type says, but not from web pages, which
   * send Origin or Sec-Fetch-Site. `bytes`: any type, which the handler reads and limits itself.
   */
  readonly takes?: "bytes" | "untyped";
  /** Path of the document that describes tokens for this route (RFC 9728); a 401 names it. */
  readonly tokenMetadata?: string;
  readonly summary: string;
  /** What the summary leaves open; Markdown. */
  readonly description?: string;
  /** The JSON answer with status 200. */
  readonly response?: JsonSchema;
  /**
   * Successful answers beside `response`, by status and media type. For `text/event-stream` the schema is
   * that of the data of one event. A schema with a `title` gets that name in the OpenAPI document. Empty,
   * without `response`: the route always fails.
   */
  readonly answers?: Readonly<Record<number, Readonly<Record<string, JsonSchema>>>>;
  /**
   * The codes of docs/errors.md that it can fail with, beside those that any route can for what it takes.
   * Without it, the OpenAPI document leaves open how the route fails.
   */
  readonly failures?: readonly string[];
  /**
   * An open route that answers with a page for people: links on other sites may open it. All other requests
   * from there are refused.
   */
  readonly page?: boolean;
  /**
   * Refuses keys of the query and the body that the route does not describe, instead of ignoring them: for
   * all that removes, reverts, approves or changes settings. Default: true for PATCH, PUT and DELETE.
   */
  readonly strict?: boolean;
  /**
   * The body of a failed answer, where the route speaks another's format; `rawBody` is the request's, as far
   * as it was read. Default, also where it gives undefined: that of docs/errors.md.
   */
  readonly failure?: (error: AppError, requestId: string, rawBody?: unknown) => unknown;
  /** The schema of those bodies. */
  readonly failureSchema?: JsonSchema;
  /**
   * Requests with the header `header` (lower case) speak the route's format, whatever they ask for: their
   * answers name the request's id in the header `requestId`, and their failures have the body of `failure`
   * where their own route has no other.
   */
  readonly dialect?: { readonly header: string; readonly requestId: string };
}

/**
 * A route as the host sees it: what it takes is checked, but the types are forgotten. `N` names the optional
 * services that its handler counts on.
 */
export interface Route<N extends OptionalService = never> extends RouteFacts {
  readonly params?: Properties;
  readonly query?: Properties;
  readonly body?: JsonSchema;
  readonly handle: (request: EndpointRequest, services: ServicesWith<N>) => Awaitable<EndpointAnswer>;
}

/** Routes that are switched on and off together. */
export interface EndpointGroup {
  /** The group's name in `endpoints.<group>.enabled`. */
  readonly group: string;
  readonly routes: readonly Route[];
}

/** A service that is there only while a plugin brings it. */
export type OptionalService = {
  [K in keyof Services]-?: undefined extends Services[K] ? K : never;
}[keyof Services];

/** The services of a host that has the optional ones in `N`. */
export type ServicesWith<N extends OptionalService> = Services & {
  readonly [K in N]: NonNullable<Services[K]>;
};

import type { TestHost } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../support/host.ts";
import type { TestHostOptions, MockScript } from "@pergola/sdk/testing";

/** A host whose callers can come from elsewhere: a trusted proxy on this computer says from where. */
export const openDoorStage = (
  { settings = {}, ...options }: TestHostOptions = {},
  script?: MockScript,
): Promise<Stage> =>
  openStage(script, {
    ...options,
    settings: {
      "server.trusted_proxies": ["127.0.0.1"],
      "server.remote_admin": true,
      "rate_limit.burst": 10_000,
      "rate_limit.requests_per_minute": 0,
      "rate_limit.failed_auth_per_minute": 1000,
      ...settings,
    },
  });

export interface Answered<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** How a remote client asks. `from` is its address; without a token it brings none. */
export interface RemoteRequest {
  readonly method?: string;
  readonly token?: string | undefined;
  readonly from?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as it comes through a proxy, from another computer. */
export async function fromElsewhere<T = ErrorBody>(
  host: TestHost,
  path: string,
  { method = "GET", token, from = "203.0.113.9", body, headers = {} }: RemoteRequest = {},
): Promise<Answered<T>> {
  const sent: Record<string, string> = { "X-Forwarded-For": from, ...headers };
  if (token !== undefined) sent["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) sent["Content-Type"] ??= "application/json";
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${host.url}${path}`, { method, headers: sent, ...text });
  const read = await answer.text();
  const isJson = (answer.headers.get("content-type") ?? "").includes("json");
  return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(read) : read) as T };
}

export interface Made {
  readonly token: { readonly id: string; readonly name: string; readonly scopes: readonly string[] };
  readonly secret: string;
}

/** A token that the owner makes. */
export async function addToken(host: TestHost, name: string, draft: object = {}): Promise<Made> {
  const { status, body } = await host.json<Made>("POST", "/api/tokens", { name, ...draft });
  if (status !== 201) throw new Error(`The token was not made: ${status} ${JSON.stringify(body)}`);
  return body;
}

import { defined, stringOf, type Json, type JsonObject } from "@pergola/sdk";
import { pick, type McpServerChange } from "@pergola/sdk/host";

/** Under which name a value is kept as a secret; undefined for one that stays as it is. */
export type SecretNames = ReadonlyMap<string, string>;

const shortestSecret = 8;

/**
 * The values of a change that are to be kept as secrets. Short words, numbers and paths are none: they would
 * be blotted out of every text in which they occur.
 */
export function secretsIn({ env, headers, token, client_secret }: McpServerChange): readonly string[] {
  const values = [...Object.values(env ?? {}), ...Object.values(headers ?? {})]
    .filter((value) => value !== null)
    .filter((value) => value.length >= shortestSecret && !/^(~?\/|\d+$)/.test(value));
  const single = [token, client_secret].filter((value) => typeof value === "string" && value !== "");
  return [...new Set([...values, ...(single as string[])])];
}

function merged(
  before: Json | undefined,
  change: Readonly<Record<string, string | null>> | null | undefined,
  names: SecretNames,
): JsonObject {
  if (change === null) return {};
  const next: Record<string, Json> = { ...(before as JsonObject | undefined) };
  for (const [name, value] of Object.entries(change ?? {})) {
    if (value === null) delete next[name];
    else next[name] = kept(value, names);
  }
  return next;
}

function kept(value: string, names: SecretNames): Json {
  const name = names.get(value);
  return name === undefined ? value : { secret: name };
}

const originOf = (url: Json | undefined): string =>
  URL.canParse(stringOf(url)) ? new URL(stringOf(url)).origin : "";

const plainFields = [
  "command",
  "args",
  "cwd",
  "url",
  "client_id",
  "enabled",
  "tools",
  "effects",
  "sandbox",
  "read",
  "write",
  "network",
] as const;

/** An entry of `mcp.servers` after a change. What is kept for one origin is never sent to another. */
export function changedEntry(entry: JsonObject, change: McpServerChange, names: SecretNames): JsonObject {
  const isElsewhere = typeof change.url === "string" && originOf(change.url) !== originOf(entry["url"]);
  const { headers, token, client_id: _, client_secret, ...rest } = entry;
  const base = isElsewhere ? rest : entry;
  const next: Record<string, Json> = {
    ...base,
    ...(defined(pick(change, ...plainFields)) as JsonObject),
    env: merged(base["env"], change.env, names),
    headers: merged(isElsewhere ? undefined : headers, change.headers, names),
    token: changedToken(isElsewhere ? undefined : token, change.token, names),
    client_secret: changedToken(isElsewhere ? undefined : client_secret, change.client_secret, names),
  };
  const isEmpty = (field: string, value: Json | undefined): boolean =>
    value === undefined ||
    value === null ||
    (/^(env|headers)$/.test(field) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(next).filter(([field, value]) => !isEmpty(field, value)));
}

function changedToken(before: Json | undefined, token: string | null | undefined, names: SecretNames): Json {
  if (token === undefined) return before ?? null;
  return token === null ? null : kept(token, names);
}

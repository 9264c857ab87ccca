import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { PluginError, type JsonObject } from "@pergola/sdk";

/** The part `storage` of the settings. Times are in milliseconds. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly schema: string;
  readonly connections: number;
  /** Undefined = not encrypted. */
  readonly tls: { readonly rejectUnauthorized: boolean; readonly ca?: string } | undefined;
  readonly wait: number;
  readonly statementTimeout: number;
  /** How long a host may be silent before others may take what it has. */
  readonly hostTimeout: number;
  /** Whether the server has each commit on its disk before it is acknowledged. */
  readonly synchronous: boolean;
}

const refuse = (name: string, reason: string, remedy: string, cause?: unknown): PluginError =>
  new PluginError("storage-postgres", "read settings", `storage.${name} ${reason}`, { remedy, cause });

const example = "Write it as postgres://user@host:5432/database, its password under storage.password.";

type Check<T> = (value: unknown) => value is T;

const isText: Check<string> = (value) => typeof value === "string";

const isWithin =
  (least: number, most: number): Check<number> =>
  (value): value is number =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

const isOneOf =
  <const T extends string>(...choices: readonly T[]): Check<T> =>
  (value): value is T =>
    choices.includes(value as T);

const isSchemaName: Check<string> = (value): value is string =>
  isText(value) && /^[a-z_][a-z0-9_]{0,62}$/.test(value) && !value.startsWith("pg_");

const isTls = isOneOf("auto", "verify", "unverified", "off");

/** Every setting: its default, and what its value has to be, in words too. */
const known = {
  url: ["", isText, "Give a text."],
  password: ["", isText, "Give a text."],
  schema: ["pergola", isSchemaName, "Use small letters, digits and _, 63 at most."],
  connections: [10, isWithin(3, 100), "Give a whole number from 3 to 100."],
  tls: ["auto", isTls, 'Choose "auto", "verify", "unverified" or "off".'],
  tls_ca: ["", isText, "Name a file."],
  wait_seconds: [10, isWithin(0, 600), "Give a whole number from 0 to 600."],
  statement_seconds: [60, isWithin(1, 3600), "Give a whole number from 1 to 3600."],
  host_timeout_seconds: [10, isWithin(3, 300), "Give a whole number from 3 to 300."],
  durability: ["power", isOneOf("power", "process"), 'Choose "power" or "process".'],
} as const satisfies Readonly<Record<string, readonly [unknown, Check<unknown>, string]>>;

type Known = typeof known;
type Values = { readonly [K in keyof Known]: Known[K][1] extends Check<infer T> ? T : never };

function valuesOf({ type: _, ...settings }: JsonObject): Values {
  const foreign = Object.keys(settings).find((name) => !Object.hasOwn(known, name));
  if (foreign !== undefined) {
    const names = Object.keys(known).map((name) => `storage.${name}`);
    throw refuse(foreign, "is not a setting", `The settings are ${names.join(", ")}.`);
  }
  const entries = Object.entries(known).map(([name, [usual, check, remedy]]) => {
    const value = settings[name] ?? usual;
    if (!check(value)) throw refuse(name, "has a value that is not allowed", remedy);
    return [name, value] as const;
  });
  return Object.fromEntries<unknown>(entries) as Values;
}

/** The part `storage` of the settings, with its defaults. Throws PluginError, which tells no secret. */
export function readSettings(settings: JsonObject): Settings {
  const values = valuesOf(settings);
  const place = placeOf(values.url);
  return {
    ...place,
    password: values.password || place.password,
    schema: values.schema,
    connections: values.connections,
    tls: tlsOf(values, place.host),
    wait: 1000 * values.wait_seconds,
    statementTimeout: 1000 * values.statement_seconds,
    hostTimeout: 1000 * values.host_timeout_seconds,
    synchronous: values.durability === "power",
  };
}

type Place = Pick<Settings, "host" | "port" | "database" | "user" | "password">;

function placeOf(text: string): Place {
  if (text === "") throw refuse("url", "is missing", example);
  const url = readUrl(text);
  const foreign = [...url.searchParams.keys()].find((name) => name !== "host");
  if (foreign !== undefined)
    throw refuse("url", `has the parameter ${foreign}`, "Only host is taken; TLS is set by storage.tls.");
  const database = decodeURIComponent(url.pathname.slice(1));
  const host = url.searchParams.get("host") ?? url.hostname.replace(/^\[(.+)\]$/, "$1");
  if (database === "" || host === "") throw refuse("url", "names no database or no host", example);
  return {
    host,
    port: Number(url.port || 5432),
    database,
    user: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
  };
}

/** A URL without a host is one, too: that of a socket. */
function readUrl(text: string): URL {
  const found = /^postgres(?:ql)?:\/\/([^/]*)(\/.*)$/.exec(text);
  if (found === null) throw refuse("url", "is not the address of a PostgreSQL database", example);
  const [, authority = "", rest = ""] = found;
  const hostless = authority === "" || authority.endsWith("@");
  const whole = `postgres://${authority}${hostless ? "socket" : ""}${rest}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url === undefined || (hostless && !url.searchParams.has("host")))
    throw refuse("url", "is not the address of a PostgreSQL database", example);
  return url;
}

const isHere = (host: string): boolean =>
  host.startsWith("/") || host === "localhost" || host === "::1" || (isIP(host) === 4 && /^127\./.test(host));

function tlsOf({ tls, tls_ca: file }: Values, host: string): Settings["tls"] {
  if (tls === "off" || host.startsWith("/")) return undefined;
  if (tls === "auto" && isHere(host)) return undefined;
  if (tls === "unverified") return { rejectUnauthorized: false };
  if (file === "") return { rejectUnauthorized: true };
  try {
    return { rejectUnauthorized: true, ca: readFileSync(file, "utf8") };
  } catch (cause) {
    throw refuse("tls_ca", "names a file that cannot be read", "Name a file of certificates (PEM).", cause);
  }
}

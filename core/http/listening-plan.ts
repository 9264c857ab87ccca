import type { Json, JsonObject } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { readCertificate, type CertificateFiles } from "./certificate.ts";
import type { Place } from "./listeners.ts";

/** Where a service listens, by its settings. */
export interface ListeningPlan {
  /** Plain http: on this computer first, and elsewhere only where the person allows that. */
  readonly plain: readonly [Place, ...Place[]];
  readonly tls?: Place & CertificateFiles;
  /** Where plain http is taken, too, for clients of Ollama, which have its port by heart. */
  readonly ollama?: readonly Place[];
}

interface Preferences {
  get<T extends Json>(key: string): T;
}

const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
const isLoopback = (host: string): boolean => /^(127\.|::1$)/.test(host);

const remedies =
  "server.allow_remote needs one of these. With a certificate: set server.tls.cert and server.tls.key. " +
  "With a reverse proxy on this computer: leave server.allow_remote off, and add the proxy's address to " +
  "server.trusted_proxies. In a network that you trust: set server.allow_plain_http to true; everybody in " +
  "it can then read along, tokens included.";

/** The places again, on `server.ollama_port`; none where that is 0, or their own port. */
function ollamaPlaces(preferences: Preferences, plain: ListeningPlan["plain"]): readonly Place[] {
  const port = preferences.get<number>("server.ollama_port");
  if (port === 0 || port === plain[0].port) return [];
  return plain.map(({ host }) => ({ host, port }));
}

/**
 * Where to listen, on the given port for plain http; with a host, there alone. Throws AppError
 * `invalid_value` where callers from other computers are let in without https and nobody has allowed that,
 * and where the certificate cannot be used.
 */
export function planListening(preferences: Preferences, port: number, host?: string): ListeningPlan {
  const plan: ListeningPlan =
    host === undefined ? planAddresses(preferences, port) : { plain: [{ host, port }] };
  return { ...plan, ollama: ollamaPlaces(preferences, plan.plain) };
}

function planAddresses(preferences: Preferences, port: number): ListeningPlan {
  const here: Place = { host: "127.0.0.1", port };
  if (!preferences.get<boolean>("server.allow_remote")) return { plain: [here] };
  const host = preferences.get<string>("server.host");
  const files = certificateFiles(preferences);
  if (files !== undefined) {
    readCertificate(files);
    return { plain: [here], tls: { host, port: preferences.get("server.tls.port"), ...files } };
  }
  if (!preferences.get<boolean>("server.allow_plain_http"))
    throw fault("invalid_value", remedies, { param: "server.allow_remote" });
  if (wildcards.has(host)) return { plain: [{ host, port }] };
  return { plain: isLoopback(host) ? [here] : [here, { host, port }] };
}

const defaults: JsonObject = {
  "server.allow_remote": false,
  "server.allow_plain_http": false,
  "server.tls.cert": "",
  "server.tls.key": "",
};

/** Throws AppError `invalid_value` for changes that the next start would refuse; null is the default. */
export function checkListening(preferences: Preferences, changes: JsonObject): void {
  if (!Object.keys(changes).some((key) => Object.hasOwn(defaults, key))) return;
  const get = <T extends Json>(key: string): T => {
    if (!Object.hasOwn(changes, key)) return preferences.get<T>(key);
    return (changes[key] ?? defaults[key] ?? "") as T;
  };
  planListening({ get }, 0);
}

function certificateFiles(preferences: Preferences): CertificateFiles | undefined {
  const [cert, key] = [preferences.get<string>("server.tls.cert"), preferences.get<string>("server.tls.key")];
  if (cert === "" && key === "") return undefined;
  if (cert !== "" && key !== "") return { cert, key };
  const param = cert === "" ? "server.tls.cert" : "server.tls.key";
  throw fault("invalid_value", `${param} is missing: https needs the certificate and its key.`, { param });
}

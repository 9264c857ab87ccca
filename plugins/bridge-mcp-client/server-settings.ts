import type { Effect, JsonObject } from "@pergola/sdk";
import type { AuditFact } from "@pergola/sdk/host";

/** A server as the operator names it under `mcp.servers`; secrets are in clear. */
export interface ServerSettings {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  /** Of a client that the person has registered where they sign in; else Pergola registers itself. */
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly enabled?: boolean;
  /** Whether its program runs in the sandbox; `read`, `write` and `network` hold there. */
  readonly sandbox?: boolean;
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly network?: "none" | "public" | readonly string[];
  readonly tools?: readonly string[];
  readonly effects?: Readonly<Record<string, Effect>>;
}

/** What is started or called, without a secret: an approval is bound to it, and it is shown whole. */
export type Launch = JsonObject;

const isLoopback = (url: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);

/** All headers of a server behind an address. */
export const headersOf = ({ headers = {}, token }: ServerSettings): Readonly<Record<string, string>> => ({
  ...headers,
  ...(token !== undefined && { Authorization: `Bearer ${token}` }),
});

export function launchOf(settings: ServerSettings): Launch {
  const { command, args = [], env = {}, cwd = null, url } = settings;
  if (url !== undefined) return { url, headers: Object.keys(headersOf(settings)).sort() };
  const launch = { command: command ?? "", args, cwd, env: Object.keys(env).sort() };
  if (settings.sandbox !== true) return launch;
  const { read = [], write = [], network = "none" } = settings;
  return { ...launch, sandbox: { read, write, network } };
}

/** How far a server's program is walled in, in a word. */
export function wallsOf({ url, sandbox }: ServerSettings): string | null {
  if (url !== undefined) return null;
  return sandbox === true ? "sandboxed" : "not sandboxed";
}

/** For the audit: its program runs without a sandbox. */
export const bareFact = (name: string, { command = "" }: ServerSettings): AuditFact => ({
  action: "program.unsandboxed",
  target: `mcp.servers.${name} ${command}`,
  outcome: "its entry asks for none",
});

/** Why a server cannot be used as it is set; undefined when it can. */
export function faultOf(settings: ServerSettings): string | undefined {
  const { command, url } = settings;
  if ((command === undefined) === (url === undefined)) return "It needs either a command or an url.";
  if (url === undefined) return undefined;
  if (!URL.canParse(url)) return "Its url is not an address.";
  const address = new URL(url);
  if (address.username !== "" || address.password !== "")
    return "Its url holds a password; use token or headers.";
  if (address.protocol !== "http:" || isLoopback(address)) return undefined;
  if (Object.keys(headersOf(settings)).length === 0) return undefined;
  return "Its token or headers would go over the network in clear; use https.";
}

import { readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import type { AppError } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { ownerProofOf } from "../service-proof.ts";
import { Preferences } from "../settings/preferences.ts";
import { readSettings, type SettingsSource } from "../settings/read-settings.ts";
import { ask } from "./ask.ts";
import { settingsOf, type CommonOptions } from "./common-options.ts";
import { printNote } from "./print-result.ts";
import { readNote, whoAnswers, type ServiceNote } from "./service-note.ts";
import { isLoopback, unreachableCode } from "./unreachable.ts";

/** Milliseconds for the service to say that it is there: a busy machine takes long. */
const patience = 10_000;

/** A service that commands may be sent to. */
export interface FoundService {
  readonly url: string;
  /** What is sent as `Authorization: Bearer`; empty = nothing. */
  readonly credential: string;
  /** How it was found on its data; absent for one that the person has named. */
  readonly note?: ServiceNote;
}

export interface Search {
  /** Absent when no service runs. */
  readonly found?: FoundService;
  /** What must not be shown. */
  readonly secrets: Iterable<string>;
}

/**
 * The service to talk to: the one at `--url`, the one that has proved to work on the same data, or the one at
 * `--port`. Nothing is sent to whatever else answers somewhere. Rejects with AppError `invalid_value` where
 * what was named is not to be used, and `service_unreachable` where the service says nothing.
 */
export async function findService(options: CommonOptions): Promise<Search> {
  const { url, port } = options;
  if (url !== undefined) return { found: namedService(url, options), secrets: [] };
  const source = await readSettings({ ...settingsOf(options), secretsMayMiss: true });
  const secrets = new Preferences(source, [], true).secretValues();
  const note = noteFor(options, source);
  if (note !== undefined && (await isThere(note))) {
    checkPort(note.url, options);
    return { found: { url: note.url, credential: ownerProofOf(note), note }, secrets };
  }
  if (port === undefined || !(await isOpen(Number(port)))) return { secrets };
  const named = `http://127.0.0.1:${Number(port)}`;
  if (note?.url === named || namesData(options) || !(await isPergola(named)))
    throw fault("invalid_value", notOnData(named, source.reader.dataDirectory));
  return { found: namedService(named, options), secrets };
}

/** The same; rejects with AppError `service_unreachable` where none runs. */
export async function runningService(options: CommonOptions): Promise<FoundService> {
  const { found } = await findService(options);
  if (found !== undefined) return found;
  throw noService();
}

export const noService = (): AppError =>
  fault(unreachableCode, "No service runs on this data. Start one with: pergola start");

/** Rejects with `service_unreachable` where a process of the note's number lives and nothing is said. */
async function isThere(note: ServiceNote): Promise<boolean> {
  const answer = await whoAnswers(note, patience);
  if (answer !== "silence") return answer === "service";
  const message =
    `The service on this data (process ${note.pid}) has said nothing at ${note.url} for ` +
    `${patience / 1000} seconds. It may be busy: try again, or see what it does with: pergola logs`;
  throw fault(unreachableCode, message);
}

const notOnData = (url: string, data: string): string =>
  `What answers at ${url} is not the service of ${data}, so nothing was sent to it. Name the port or the ` +
  "data of the service that you mean, or leave out --port.";

/** A port alone names a service, whatever its data. */
const namesData = ({ data, settings }: CommonOptions): boolean =>
  [data, settings, process.env["PERGOLA_DATA"]].some((one) => one !== undefined);

/** The note of the service on this data, if it uses the settings that are named. */
function noteFor({ settings }: CommonOptions, { reader, file }: SettingsSource): ServiceNote | undefined {
  const note = readNote(reader.dataDirectory);
  return settings !== undefined && note?.settings !== file?.path ? undefined : note;
}

function checkPort(url: string, { port }: CommonOptions): void {
  if (port === undefined || new URL(url).port === String(Number(port))) return;
  const message =
    `The service on this data runs at ${url}, not at port ${port}. Leave out --port to use it, or name ` +
    "other data with --data.";
  throw fault("invalid_value", message);
}

/** The service at an address that the person has named, with the token that they have given. */
function namedService(address: string, options: CommonOptions): FoundService {
  const { protocol, hostname, href } = parse(address);
  if (protocol === "http:" && !isLoopback(hostname) && options.plainHttp !== true) {
    const message =
      `${address} is not encrypted: everybody in the network could read along, your token included. Use ` +
      "https://, or add --plain-http in a network that you trust.";
    throw fault("invalid_value", message);
  }
  return { url: href.replace(/\/+$/, ""), credential: readToken(options) };
}

function parse(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username + url.password === "") return url;
  const message = `"${address}" is no address of a service: write one such as https://box.example:8443.`;
  throw fault("invalid_value", message);
}

/** The token of `--token-file`, else that of the environment; empty without one. */
function readToken({ tokenFile }: CommonOptions): string {
  const token = tokenFile === undefined ? (process.env["PERGOLA_AUTH_TOKEN"] ?? "") : textOf(tokenFile);
  if (/^[\x21-\x7e]*$/.test(token)) return token;
  throw fault("invalid_value", "The token holds characters that no token has. Copy it again.");
}

const warned = new Set<string>();

/** Whoever can read the file can do what its token may. */
function warnOfReaders(file: string): void {
  if (process.platform === "win32" || warned.has(file) || (statSync(file).mode & 0o077) === 0) return;
  warned.add(file);
  printNote(`Other accounts can read the token file ${file}. Run: chmod 600 ${file}`);
}

function textOf(file: string): string {
  try {
    warnOfReaders(file);
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    const { code = "unknown" } = cause as NodeJS.ErrnoException;
    throw fault("invalid_value", `The token file ${file} cannot be read (${code}).`, { cause });
  }
}

/** Whether what answers at an address that the person has named looks like Pergola. */
async function isPergola(url: string): Promise<boolean> {
  try {
    const answer = await ask(`${url}/health`, { signal: AbortSignal.timeout(1000) });
    const { status, uptime_seconds, reason } = await answer.json<Readonly<Record<string, unknown>>>();
    if (status === "degraded") return typeof reason === "string";
    return status === "ok" && typeof uptime_seconds === "number";
  } catch {
    return false;
  }
}

/** Whether anything listens at a port of this computer; nothing is sent to it. */
function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, timeout: 1000 });
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", end(true)).once("error", end(false)).once("timeout", end(false));
  });
}

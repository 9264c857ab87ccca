import { defined, type AppError } from "@pergola/sdk";
import { fault } from "../fault.ts";
import type { Host } from "../host.ts";
import { personLog } from "./person-log.ts";
import { Preferences } from "../settings/preferences.ts";
import { readSettings, type SettingsOptions, type SettingsSource } from "../settings/read-settings.ts";
import { printNote } from "./print-result.ts";
import { isAtItsAddress, leaveNote, readNote } from "./service-note.ts";

export interface CommonOptions {
  readonly settings?: string;
  readonly data?: string;
  readonly port?: string;
  readonly url?: string;
  readonly json?: boolean;
  /** The command asks no provider: it works without the keys that the settings name. */
  readonly secretsMayMiss?: boolean;
}

/** The settings that the common flags stand for. */
export const settingsOf = ({ settings, data, port, secretsMayMiss }: CommonOptions): SettingsOptions => ({
  file: settings,
  data,
  ...defined({ secretsMayMiss }),
  flags: port === undefined ? {} : { "server.port": port },
});

/**
 * Uses the service that runs already (at `--url`, on the same data, or at `--port`), otherwise starts one for
 * this command alone.
 */
export async function withService<T>(
  options: CommonOptions,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const service = new Service(options);
  await service.open();
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** The JSON of an answer; rejects with AppError, its cause the answer, when that is a failure. */
export async function jsonOf<T>(answer: Response): Promise<T> {
  const body = (await answer.json().catch(() => ({}))) as T & {
    readonly error?: { readonly message: string; readonly code: string };
  };
  if (answer.ok) return body;
  const { code = "internal_error", message = `The service answered ${answer.status}.` } = body.error ?? {};
  throw fault(code, message, { cause: answer });
}

/** Adds to the error of what is not there how to find what is. */
export function withHint<T>(found: Promise<T>, hint: string): Promise<T> {
  return found.catch((error: unknown) => {
    const { code, message, cause } = error as AppError;
    throw code === "not_found" ? fault(code, `${message} ${hint}`, { cause }) : error;
  });
}

/** What the commands talk to: a service that runs, or one that this command has started. */
export class Service {
  readonly #options: CommonOptions;
  #token = "";
  #host: Host | undefined;
  #removeNote: () => void = () => undefined;
  url = "";

  constructor(options: CommonOptions) {
    this.#options = options;
  }

  /** True when this command started it, and ends it. */
  get own(): boolean {
    return this.#host !== undefined;
  }

  async open(): Promise<void> {
    const { url, token = "", secrets } = await findService(this.#options);
    this.#token = token;
    this.url = url?.replace(/\/$/, "") ?? (await this.#start(secrets));
  }

  /**
   * A service that has gone in the meantime is looked for again, or replaced: it has not seen this request.
   * Rejects with AppError when nothing answers, and with the signal's reason.
   */
  async call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = new Headers();
    if (body !== undefined) headers.set("content-type", "application/json");
    if (this.#token !== "") headers.set("authorization", `Bearer ${this.#token}`);
    const request = defined({ method, signal, headers, body: JSON.stringify(body) });
    try {
      return await fetch(this.url + path, request);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      if (this.#options.url !== undefined || causeOf(error) !== "ECONNREFUSED")
        throw unreachable(this.url, error);
    }
    await this.open();
    try {
      return await fetch(this.url + path, request);
    } catch (error) {
      throw unreachable(this.url, error);
    }
  }

  /** The JSON of a GET. Rejects with AppError when nothing answers or the answer is a failure. */
  get<T>(path: string): Promise<T> {
    return this.send("GET", path);
  }

  /** The same for any method. */
  async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    return jsonOf(await this.call(method, path, body));
  }

  async close(): Promise<void> {
    this.#removeNote();
    await this.#host?.stop();
  }

  async #start(secrets: Iterable<string>): Promise<string> {
    const { createHost } = await import("../host.ts");
    const { port = 0 } = this.#options;
    this.#host = await createHost({ ...settingsOf(this.#options), log: personLog(secrets) });
    this.#host.warnings.forEach(printNote);
    await this.#host.listen({ host: "127.0.0.1", port: Number(port) });
    this.#removeNote = leaveNote(this.#host);
    return this.#host.url;
  }
}

interface Found {
  /** Absent when no service runs. */
  readonly url?: string;
  readonly token?: string;
  readonly secrets: Iterable<string>;
}

async function findService(options: CommonOptions): Promise<Found> {
  const { url, port } = options;
  if (url !== undefined)
    return { url, ...defined({ token: process.env["PERGOLA_AUTH_TOKEN"] }), secrets: [] };
  const source = await readSettings({ ...settingsOf(options), secretsMayMiss: true });
  const preferences = new Preferences(source, [], true);
  const secrets = preferences.secretValues();
  const place = await placeOnData(options, source);
  if (place !== undefined) return { url: place, token: preferences.get<string>("auth.token"), secrets };
  if (port === undefined || namesData(options)) return { secrets };
  const named = `http://127.0.0.1:${port}`;
  if (!(await isService(named))) return { secrets };
  return { url: named, ...defined({ token: process.env["PERGOLA_AUTH_TOKEN"] }), secrets };
}

/** A port alone names a service, whatever its data. */
const namesData = ({ data, settings }: CommonOptions): boolean =>
  [data, settings, process.env["PERGOLA_DATA"]].some((one) => one !== undefined);

/**
 * Where the service on this data runs, once it has proved that it is this service: nothing is sent to another
 * program that has taken its port. Rejects with AppError when it is not at the port that was named.
 */
async function placeOnData(
  options: CommonOptions,
  { reader, file }: SettingsSource,
): Promise<string | undefined> {
  const { settings } = options;
  const note = readNote(reader.dataDirectory);
  if (note === undefined || (settings !== undefined && note.settings !== file?.path)) return undefined;
  if (!(await isAtItsAddress(note))) return undefined;
  checkPort(note.url, options);
  return note.url;
}

function checkPort(url: string, { port }: CommonOptions): void {
  if (port === undefined || new URL(url).port === String(Number(port))) return;
  const message =
    `The service on this data runs at ${url}, not at port ${port}. Leave out --port to use it, or name ` +
    "other data with --data.";
  throw fault("invalid_value", message);
}

/** Whether Pergola answers at an address that the person has named. */
async function isService(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) });
    const { status, uptime_seconds, reason } = (await answer.json()) as Readonly<Record<string, unknown>>;
    if (status === "degraded") return typeof reason === "string";
    return status === "ok" && typeof uptime_seconds === "number";
  } catch {
    return false;
  }
}

function causeOf(error: unknown): string {
  const cause = (error as Error).cause ?? error;
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  return code ?? message ?? "unknown";
}

function unreachable(url: string, cause: unknown): AppError {
  const message = `The service at ${url} does not answer (${causeOf(cause)}). \`pergola start\` starts one.`;
  return fault("not_found", message, { cause });
}

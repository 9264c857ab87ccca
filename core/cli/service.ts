import { defined, type AppError } from "@pergola/sdk";
import { fault } from "../fault.ts";
import type { Host } from "../host.ts";
import { personLog } from "./person-log.ts";
import { Preferences } from "../settings/preferences.ts";
import { readSettings, type SettingsOptions, type SettingsSource } from "../settings/read-settings.ts";
import { printNote } from "./print-result.ts";
import { leaveNote, readNote } from "./service-note.ts";

export interface CommonOptions {
  readonly settings?: string;
  readonly data?: string;
  readonly port?: string;
  readonly url?: string;
  readonly json?: boolean;
}

/** The settings that the common flags stand for. */
export const settingsOf = ({ settings, data, port }: CommonOptions): SettingsOptions => ({
  file: settings,
  data,
  flags: port === undefined ? {} : { "server.port": port },
});

/**
 * Uses the service that runs already (at `--url`, on the same data, or on the settings' port), otherwise
 * starts one for this command alone.
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
  const { url } = options;
  if (url !== undefined)
    return { url, ...defined({ token: process.env["PERGOLA_AUTH_TOKEN"] }), secrets: [] };
  const source = await readSettings(settingsOf(options));
  const preferences = new Preferences(source, [], true);
  const token = preferences.get<string>("auth.token");
  const secrets = preferences.secretValues();
  const place = await placeOf(options, source, preferences);
  return { ...defined({ url: place }), token, secrets };
}

/** Where a service runs. Rejects with AppError when it is not at the port that was named. */
async function placeOf(
  options: CommonOptions,
  source: SettingsSource,
  preferences: Preferences,
): Promise<string | undefined> {
  for (const place of placesFor(options, source, preferences)) {
    if (!(await isService(place))) continue;
    checkPort(place, options);
    return place;
  }
  return undefined;
}

function checkPort(url: string, { port }: CommonOptions): void {
  if (port === undefined || new URL(url).port === String(Number(port))) return;
  const message =
    `The service on this data runs at ${url}, not at port ${port}. Leave out --port to use it, or name ` +
    "other data with --data.";
  throw fault("invalid_value", message);
}

/**
 * Where a service may run: where the note in the data directory says, and, when neither data nor settings are
 * named, on the usual port with whatever data. A port that was named comes first.
 */
function placesFor(
  { data, settings, port }: CommonOptions,
  { reader, file }: SettingsSource,
  preferences: Preferences,
): readonly string[] {
  const places: string[] = [];
  const note = readNote(reader.dataDirectory);
  if (note !== undefined && (settings === undefined || note.settings === file?.path)) places.push(note.url);
  const isUsual = [data, settings, process.env["PERGOLA_DATA"]].every((one) => one === undefined);
  const usual = `http://127.0.0.1:${preferences.get<number>("server.port")}`;
  if (isUsual && port !== undefined) return [usual, ...places];
  if (isUsual) places.push(usual);
  return places;
}

/** Whether Pergola answers at this address; one that cannot write its store is one too. */
export async function isService(url: string): Promise<boolean> {
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

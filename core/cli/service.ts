import { AppError, defined } from "@pergola/sdk";
import type { Host } from "../host.ts";
import { personLog } from "./person-log.ts";
import { Preferences } from "../settings/preferences.ts";
import { readSettings, type SettingsOptions } from "../settings/read-settings.ts";
import { leaveNote, readNote } from "./service-note.ts";
import { visible } from "./visible.ts";

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

/** What the commands talk to. */
export interface Service {
  readonly url: string;
  /** True when this command started it, and ends it. */
  readonly own: boolean;
  /** Rejects with AppError when nothing answers, and with the signal's reason. */
  call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response>;
}

/**
 * Uses the service that runs already (at `--url`, on the same data, or on the settings' port), otherwise
 * starts one for this command alone.
 */
export async function withService<T>(
  options: CommonOptions,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const connection = new Connection(options);
  await connection.open();
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** The JSON of an answer; rejects with AppError, its cause the answer, when that is a failure. */
export async function jsonOf<T>(answer: Response): Promise<T> {
  const body = (await answer.json().catch(() => ({}))) as T & {
    readonly error?: { readonly message: string; readonly code: string };
  };
  if (answer.ok) return body;
  const { code = "internal_error", message = `The service answered ${answer.status}.` } = body.error ?? {};
  throw new AppError({ code, message, cause: answer });
}

class Connection implements Service {
  readonly #options: CommonOptions;
  #token = "";
  #host: Host | undefined;
  #takeNoteAway: () => void = () => undefined;
  url = "";

  constructor(options: CommonOptions) {
    this.#options = options;
  }

  get own(): boolean {
    return this.#host !== undefined;
  }

  async open(): Promise<void> {
    const { url } = this.#options;
    const found =
      url === undefined
        ? await findService(this.#options)
        : { url, token: process.env["PERGOLA_AUTH_TOKEN"], secrets: [] };
    this.#token = found.token ?? "";
    this.url = found.url?.replace(/\/$/, "") ?? (await this.#start(found.secrets));
  }

  /**
   * A service that has gone in the meantime is looked for again, or replaced: it has not seen this request.
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
    return fetch(this.url + path, request).catch((error: unknown) =>
      Promise.reject(unreachable(this.url, error)),
    );
  }

  async close(): Promise<void> {
    this.#takeNoteAway();
    await this.#host?.stop();
  }

  async #start(secrets: Iterable<string>): Promise<string> {
    const { createHost } = await import("../host.ts");
    const { port = 0 } = this.#options;
    this.#host = await createHost({ ...settingsOf(this.#options), log: personLog(secrets) });
    for (const warning of this.#host.warnings) process.stderr.write(`${visible(warning)}\n`);
    await this.#host.listen({ host: "127.0.0.1", port: Number(port) });
    this.#takeNoteAway = leaveNote(this.#host);
    return this.#host.url;
  }
}

interface Found {
  /** Absent when no service runs. */
  readonly url?: string;
  readonly token?: string;
  readonly secrets: Iterable<string>;
}

/**
 * When neither data nor settings are named, a service with other data will do as well, if it is on the usual
 * port.
 */
async function findService(options: CommonOptions): Promise<Found> {
  const source = await readSettings(settingsOf(options));
  const preferences = new Preferences(source, [], true);
  const note = readNote(source.reader.dataDirectory);
  const fits = options.settings === undefined || note?.settings === source.file?.path;
  const usual =
    options.data === undefined && options.settings === undefined && process.env["PERGOLA_DATA"] === undefined;
  const places = [
    ...(note !== undefined && fits ? [note.url] : []),
    ...(usual ? [`http://127.0.0.1:${preferences.get<number>("server.port")}`] : []),
  ];
  const [token, secrets] = [preferences.get<string>("auth.token"), preferences.secretValues()];
  for (const url of places) if (await isService(url)) return { url, token, secrets };
  return { secrets };
}

/** Whether Pergola answers at this address. */
export async function isService(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(1000) });
    const { status, uptime_seconds: uptime } = (await answer.json()) as {
      readonly status?: unknown;
      readonly uptime_seconds?: unknown;
    };
    return status === "ok" && typeof uptime === "number";
  } catch {
    return false;
  }
}

const causeOf = (error: unknown): string => {
  const { code, message } = ((error as Error).cause ?? error) as {
    readonly code?: string;
    readonly message?: string;
  };
  return code ?? message ?? "unknown";
};

const unreachable = (url: string, cause: unknown): AppError =>
  new AppError({
    code: "not_found",
    message: `The service at ${url} does not answer (${causeOf(cause)}). \`pergola start\` starts one.`,
    cause,
  });

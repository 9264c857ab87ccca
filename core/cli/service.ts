import { AppError, defined } from "@pergola/sdk";
import { fault } from "../fault.ts";
import type { Host } from "../host.ts";
import { ownerProofOf } from "../service-proof.ts";
import { ask, type Answer, type Asked } from "./ask.ts";
import { settingsOf, type CommonOptions } from "./common-options.ts";
import { findService, noService, type FoundService } from "./find-service.ts";
import { personLog } from "./person-log.ts";
import { printNote } from "./print-result.ts";
import { isAtItsAddress, leaveNote } from "./service-note.ts";
import { causeOf, unreachable } from "./unreachable.ts";

export { settingsOf, type CommonOptions } from "./common-options.ts";

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
export async function jsonOf<T>(answer: Answer): Promise<T> {
  type Body = T & { readonly error?: { readonly message: string; readonly code: string } };
  const body = await answer.json<Body>().catch(() => ({}) as Body);
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

/** Milliseconds after which a service has to prove itself again. */
const proofLasts = 10_000;

/** What the commands talk to: a service that runs, or one that this command has started. */
export class Service {
  readonly #options: CommonOptions;
  readonly #known: FoundService | undefined;
  #found: FoundService | undefined;
  #provedAt = 0;
  #host: Host | undefined;
  #removeNote: () => void = () => undefined;

  /** `known`: the one to talk to, which is not looked for. */
  constructor(options: CommonOptions, known?: FoundService) {
    this.#options = options;
    this.#known = known;
  }

  /** Without a slash at its end; empty before `open`. */
  get url(): string {
    return this.#found?.url ?? "";
  }

  /** True when this command started it, and ends it. */
  get own(): boolean {
    return this.#host !== undefined;
  }

  /** Rejects with AppError `service_unreachable` where none runs and none may be started. */
  async open(mayStart = true): Promise<void> {
    const known = this.#known && { found: this.#known, secrets: [] };
    const { found, secrets } = known ?? (await findService(this.#options));
    if (found === undefined && !mayStart) throw noService();
    this.#found = found ?? (await this.#start(secrets));
    this.#provedAt = performance.now();
  }

  /**
   * A service that has gone in the meantime is looked for again, or replaced: it has not seen this request.
   * Rejects with AppError when nothing answers or the answer leads elsewhere, and with the signal's reason.
   */
  call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> {
    return this.fetch(path, defined({ method, signal, body: JSON.stringify(body) }));
  }

  /** The same for a request with headers of its own; a service is only looked for where none may start. */
  async fetch(path: string, request: Asked, mayStart = true): Promise<Answer> {
    await this.#checkProof(mayStart);
    const send = (): Promise<Answer> => this.#send(path, request);
    try {
      return await send();
    } catch (error) {
      if (request.signal?.aborted === true || AppError.is(error)) throw error;
      if (this.#options.url !== undefined || causeOf(error).code !== "ECONNREFUSED")
        throw unreachable(this.url, error);
    }
    await this.open(mayStart);
    return send().catch((error: unknown) => {
      throw AppError.is(error) ? error : unreachable(this.url, error);
    });
  }

  /** Another program may have taken the port since: the service is asked again who it is. */
  async #checkProof(mayStart: boolean): Promise<void> {
    const note = this.#found?.note;
    if (note === undefined || performance.now() - this.#provedAt < proofLasts) return;
    if (!(await isAtItsAddress(note, 5000))) return this.open(mayStart);
    this.#provedAt = performance.now();
  }

  async #send(path: string, request: Asked): Promise<Answer> {
    const { url, credential } = this.#found!;
    const headers: Record<string, string> = { ...request.headers };
    if (request.body !== undefined) headers["content-type"] = "application/json";
    if (credential !== "") headers["authorization"] = `Bearer ${credential}`;
    const answer = await ask(url + path, { ...request, headers });
    if (answer.status < 300 || answer.status > 399) return answer;
    const target = answer.headers.location ?? "nowhere";
    throw fault(
      "invalid_value",
      `${url} leads to ${target}, which was not followed. Name that address yourself.`,
    );
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

  async #start(secrets: Iterable<string>): Promise<FoundService> {
    const { createHost } = await import("../host.ts");
    const { port = 0 } = this.#options;
    this.#host = await createHost({ ...settingsOf(this.#options), log: personLog(secrets) });
    this.#host.warnings.forEach(printNote);
    await this.#host.listen({ host: "127.0.0.1", port: Number(port) });
    this.#removeNote = leaveNote(this.#host);
    return { url: this.#host.url, credential: ownerProofOf(this.#host.identity) };
  }
}

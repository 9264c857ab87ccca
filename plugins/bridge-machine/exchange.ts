import type { IncomingHttpHeaders } from "node:http";
import { AppError, ToolError, type ProviderResponse } from "@pergola/sdk";
import type { Dispatcher } from "undici";
import { reasonOf } from "./network-reasons.ts";
import { readAll } from "./read-all.ts";

export interface Limits {
  /** To the first byte of the body. */
  readonly timeoutSeconds: number;
  /** Between bytes. */
  readonly idleTimeoutSeconds: number;
}

interface Settle {
  resolve(head: ProviderResponse): void;
  reject(error: unknown): void;
}

type Controller = Dispatcher.DispatchController;

/** Bytes that may wait for a slow reader before the provider has to. */
const highWater = 65_536;
const largestText = 10_485_760;

/** A provider could not be reached, broke off, or did what is not allowed. */
export const failed = (message: string, retryable: boolean, cause?: unknown): AppError =>
  new AppError({ code: "provider_error", message, details: { retryable }, cause });

const tooLarge = (): AppError => failed("The provider's answer is larger than 10 MiB.", false);

/**
 * One request to a provider. The bytes of the answer go from the socket to one reader without a stream
 * between, and what has come by the time the reader asks is one piece: many answers at once stay cheap. An
 * abort, a time limit or a reader that leaves ends it at once.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: Limits;
  readonly #signal: AbortSignal | undefined;
  readonly #settle: Settle;
  readonly #cancel = (): void => this.#stop(this.#signal?.reason);
  #timer: NodeJS.Timeout | undefined;
  /** The first bytes have come: from now on the time between bytes is limited. */
  #isFlowing = false;
  #controller: Controller | undefined;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #end: { readonly error: unknown } | undefined;
  #wake = (): void => undefined;
  readonly #body: AsyncIterableIterator<Uint8Array, undefined> = {
    next: async () => {
      while (this.#size === 0 && this.#end === undefined)
        await new Promise<void>((resolve) => (this.#wake = resolve));
      if (this.#size > 0) return { done: false, value: this.#take() };
      if (this.#end?.error !== undefined) throw this.#end.error as Error;
      return { done: true, value: undefined };
    },
    return: async () => {
      this.#stop(new Error("The reader left."));
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => this.#body,
  };

  constructor(limits: Limits, signal: AbortSignal | undefined, settle: Settle) {
    this.#limits = limits;
    this.#signal = signal;
    this.#settle = settle;
    this.#limit(limits.timeoutSeconds);
    signal?.addEventListener("abort", this.#cancel);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#end !== undefined) controller.abort(new Error("The request was stopped."));
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    if (status >= 300 && status < 400)
      return this.#stop(
        failed(`The provider redirects (${status}); set its base URL to the right one.`, false),
      );
    const header = (name: string): string | undefined => headers[name.toLowerCase()]?.toString();
    const text = async (): Promise<string> => (await readAll(this.#body, largestText, tooLarge)).toString();
    this.#settle.resolve({ status, header, body: this.#body, text });
  }

  onResponseData(controller: Controller, piece: Uint8Array): void {
    if (this.#end !== undefined) return;
    if (this.#isFlowing) this.#timer?.refresh();
    else this.#limit(this.#limits.idleTimeoutSeconds);
    this.#isFlowing = true;
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size > highWater) controller.pause();
    this.#wake();
  }

  onResponseEnd(): void {
    this.#finish(undefined);
  }

  onResponseError(_controller: Controller, error: Error & { readonly code?: string }): void {
    const isRefused = ToolError.is(error);
    const reason = isRefused ? "plain http is for loopback and private addresses." : reasonOf(error);
    this.#finish(failed(`The connection to the provider failed: ${reason}`, !isRefused, error));
  }

  #take(): Uint8Array {
    const [first = new Uint8Array(), ...rest] = this.#pieces;
    const all = rest.length === 0 ? first : Buffer.concat(this.#pieces);
    [this.#pieces, this.#size] = [[], 0];
    if (this.#controller?.paused === true) this.#controller.resume();
    return all;
  }

  /** While a slow reader makes the provider wait, the clock does not run. */
  #limit(seconds: number): void {
    clearTimeout(this.#timer);
    const late = (): AppError =>
      new AppError({ code: "provider_timeout", message: `The provider sent nothing for ${seconds} s.` });
    const expire = (): void => {
      if (this.#controller?.paused === true) return this.#limit(seconds);
      this.#stop(late());
    };
    this.#timer = setTimeout(expire, seconds * 1000);
  }

  #stop(error: unknown): void {
    if (this.#end !== undefined) return;
    this.#finish(error);
    [this.#pieces, this.#size] = [[], 0];
    this.#controller?.abort(error instanceof Error ? error : new Error("The request was stopped."));
  }

  #finish(error: unknown): void {
    this.#end ??= { error };
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#cancel);
    if (error !== undefined) this.#settle.reject(error);
    this.#wake();
  }
}

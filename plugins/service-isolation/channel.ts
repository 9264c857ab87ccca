import { AppError, isObject, messageOf, ToolError } from "@pergola/sdk";

type Failure = {
  readonly kind: "tool" | "app" | "other";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly fields?: object;
};
type Settle = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

export type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>;

/** What goes from one process to the other: a question has a name, anything else answers one. */
export type Envelope = {
  readonly id: number;
  readonly name?: string;
  readonly args?: readonly unknown[];
  readonly value?: unknown;
  readonly error?: Failure;
};

export const isEnvelope = (value: unknown): value is Envelope =>
  isObject(value) && typeof value["id"] === "number";

function encode(error: unknown): Failure {
  const message = messageOf(error);
  if (ToolError.is(error))
    return {
      kind: "tool",
      code: error.code,
      message,
      hint: error.hint,
      ...(error.fields && { fields: error.fields }),
    };
  if (AppError.is(error)) return { kind: "app", code: error.code, message };
  return { kind: "other", code: "", message };
}

function decode({ kind, code, message, hint = "", fields }: Failure): Error {
  if (kind === "tool")
    return new ToolError(code, message, { hint, ...(fields && { fields: { ...fields } }) });
  if (kind === "app") return new AppError({ code, message });
  return new Error(message);
}

/**
 * Questions and answers between two processes, both ways at once. `post` sends, or throws when something can
 * not be sent.
 */
export class Channel {
  readonly #post: (envelope: Envelope) => void;
  readonly #handlers: Handlers;
  readonly #open = new Map<number, Settle>();
  #asked = 0;

  constructor(post: (envelope: Envelope) => void, handlers: Handlers) {
    this.#post = post;
    this.#handlers = handlers;
  }

  async ask(name: string, ...args: readonly unknown[]): Promise<unknown> {
    const id = ++this.#asked;
    this.#post({ id, name, args });
    return new Promise((resolve, reject) => this.#open.set(id, { resolve, reject }));
  }

  async receive({ id, name, args = [], value, error }: Envelope): Promise<void> {
    if (name === undefined) {
      const open = this.#open.get(id);
      this.#open.delete(id);
      return error === undefined ? open?.resolve(value) : open?.reject(decode(error));
    }
    try {
      if (!Object.hasOwn(this.#handlers, name)) throw new Error(`there is no "${name}"`);
      this.#post({
        id,
        value: await this.#handlers[name]!(...(args as never[])),
      });
    } catch (failure) {
      this.#refuse(id, encode(failure));
    }
  }

  #refuse(id: number, error: Failure): void {
    try {
      this.#post({ id, error });
    } catch {
      this.#post({
        id,
        error: { kind: "other", code: "", message: error.message.slice(0, 1000) },
      });
    }
  }

  /** Rejects all questions that are still open. */
  close(error: Error): void {
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }
}

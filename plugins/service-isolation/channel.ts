import { AppError, isObject, messageOf, ToolError, type Awaitable } from "@pergola/sdk";
import { visibleText } from "@pergola/sdk/host";

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

const isOptional = (value: unknown, isRight: (value: unknown) => boolean): boolean =>
  value === undefined || isRight(value);

const isText = (value: unknown): boolean => typeof value === "string";

const isFailure = (value: unknown): boolean =>
  isObject(value) &&
  isText(value["code"]) &&
  isText(value["message"]) &&
  isOptional(value["hint"], isText) &&
  isOptional(value["fields"], isObject);

/** Whether what came has the form of a message; what it carries is judged by whoever asked for it. */
export const isEnvelope = (value: unknown): value is Envelope =>
  isObject(value) &&
  Number.isSafeInteger(value["id"]) &&
  isOptional(value["name"], isText) &&
  isOptional(value["args"], Array.isArray) &&
  isOptional(value["error"], isFailure);

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

/** What a failure says may come from a plugin: no sign in it is obeyed. */
function decode({ kind, code, hint = "", fields, ...failure }: Failure): Error {
  const message = visibleText(failure.message);
  if (kind === "tool")
    return new ToolError(code, message, {
      hint: visibleText(hint),
      ...(fields && { fields: { ...fields } }),
    });
  if (kind === "app") return new AppError({ code, message });
  return new Error(message);
}

/**
 * Questions and answers between two processes, both ways at once. `post` sends, or throws when something can
 * not be sent; it may resolve once the other side has taken it.
 */
export class Channel {
  readonly #post: (envelope: Envelope) => Awaitable<void>;
  readonly #handlers: Handlers;
  readonly #open = new Map<number, Settle>();
  #asked = 0;
  #closed: Error | undefined;

  constructor(post: (envelope: Envelope) => Awaitable<void>, handlers: Handlers) {
    this.#post = post;
    this.#handlers = handlers;
  }

  ask(name: string, ...args: readonly unknown[]): Promise<unknown> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) return reject(this.#closed);
      this.#open.set(id, { resolve, reject });
      this.#send({ id, name, args }).catch((error: Error) => {
        this.#open.delete(id);
        reject(error);
      });
    });
  }

  async #send(envelope: Envelope): Promise<void> {
    await this.#post(envelope);
  }

  /** Whether a question with this id waits for its answer. */
  isOpen(id: number): boolean {
    return this.#open.has(id);
  }

  /** Takes an answer, or answers a question; resolves once that is done. */
  async receive({ id, name, args = [], value, error }: Envelope): Promise<void> {
    if (name === undefined) {
      const open = this.#open.get(id);
      this.#open.delete(id);
      return error === undefined ? open?.resolve(value) : open?.reject(decode(error));
    }
    try {
      if (!Object.hasOwn(this.#handlers, name)) throw new Error(`there is no "${name}"`);
      await this.#post({ id, value: await this.#handlers[name]!(...(args as never[])) });
    } catch (failure) {
      await this.#refuse(id, encode(failure));
    }
  }

  async #refuse(id: number, error: Failure): Promise<void> {
    try {
      await this.#post({ id, error });
    } catch {
      await this.#post({ id, error: { kind: "other", code: "", message: error.message.slice(0, 1000) } });
    }
  }

  /** Rejects all questions that are still open, and those to come. */
  close(error: Error): void {
    this.#closed = error;
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }
}

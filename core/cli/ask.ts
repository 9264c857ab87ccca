import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Milliseconds in which a connection must stand, and in which something must come. */
const [patience, silence] = [10_000, 300_000];

/** An answer over HTTP, whatever its status. */
export class Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Its bytes as they come. Throws where it ends early. */
  readonly body: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.status = message.statusCode ?? 0;
    this.headers = message.headers;
    this.body = message;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async json<T>(): Promise<T> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.body) pieces.push(piece as Uint8Array);
    return JSON.parse(Buffer.concat(pieces).toString("utf8")) as T;
  }
}

/** The code of the error where nothing came for too long. */
export const silent = "no_answer";

const timedOut = (code: string): Error => Object.assign(new Error("It took too long."), { code });

/**
 * Asks a server over HTTP; a redirect is an answer like any other. It does for commands what `fetch` does,
 * which would cost most of them more than all their other work. Rejects with the system's error, whose `code`
 * tells why, and with the signal's reason.
 */
export async function ask(url: string, { body, ...asked }: Asked = {}): Promise<Answer> {
  const { signal } = asked;
  signal?.throwIfAborted();
  const isSafe = url.startsWith("https:");
  const { request } = isSafe ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const options = { ...asked, timeout: silence } as RequestOptions;
    const sent = request(url, options, (message) => resolve(new Answer(message)));
    const timer = setTimeout(() => sent.destroy(timedOut("ETIMEDOUT")), patience);
    const connected = (): void => clearTimeout(timer);
    sent.on("socket", (socket) =>
      socket.connecting ? socket.once(isSafe ? "secureConnect" : "connect", connected) : connected(),
    );
    sent.on("timeout", () => sent.destroy(timedOut(silent)));
    sent.on("close", connected);
    sent.on("error", (error) => reject(signal?.aborted === true ? (signal.reason as Error) : error));
    sent.end(body);
  });
}

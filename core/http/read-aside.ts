import { Worker } from "node:worker_threads";

/** Milliseconds without a read after which the thread is ended. */
const idleTime = 10_000;

const program = `
  const { readFileSync } = require("node:fs");
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", (file) => {
    try { parentPort.postMessage({ text: readFileSync(file, "utf8") }); }
    catch (error) { parentPort.postMessage({ error }); }
  });
`;

type Answer = { readonly text: string } | { readonly error: Error };
interface Waiting {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

/** A thread that reads one file after the other, as long as there is one to read. */
class Reader {
  readonly #thread = new Worker(program, { eval: true, execArgv: [], env: {} });
  readonly #waiting: Waiting[] = [];
  readonly #idle = setTimeout(() => this.#end(), idleTime).unref();
  readonly #onEnd: (ended: Reader) => void;

  constructor(onEnd: (ended: Reader) => void) {
    this.#onEnd = onEnd;
    this.#thread.unref();
    this.#thread.on("message", (answer: Answer) => {
      const asked = this.#waiting.shift();
      if ("text" in answer) asked?.resolve(answer.text);
      else asked?.reject(answer.error);
    });
    this.#thread.on("error", (error: Error) => this.#fail(error));
    this.#thread.on("exit", () => this.#fail(new Error("The thread that reads for others has ended.")));
  }

  read(file: string): Promise<string> {
    this.#idle.refresh();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#thread.postMessage(file);
    });
  }

  #fail(error: Error): void {
    this.#onEnd(this);
    clearTimeout(this.#idle);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #end(): void {
    if (this.#waiting.length > 0) return void this.#idle.refresh();
    this.#onEnd(this);
    void this.#thread.terminate();
  }
}

let reader: Reader | undefined;

/**
 * Reads a file in a thread of its own: a table of the system can take many milliseconds, and is not ready any
 * sooner in pieces. The thread is there while it is of use. Rejects with what `readFileSync` says.
 */
export function readAside(file: string): Promise<string> {
  reader ??= new Reader((ended) => {
    if (reader === ended) reader = undefined;
  });
  return reader.read(file);
}

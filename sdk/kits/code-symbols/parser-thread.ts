import { requireExtra } from "@pergola/kit-extras";
import { startThread, WorkerPool, workerUrl } from "@pergola/kit-worker";
import type { SyntaxFault } from "./find/syntax-fault.ts";
import type { Usage } from "./find/usage.ts";

/** The path's extension chooses the language. */
interface SourceText {
  readonly path: string;
  readonly text: string;
}

export interface ParserTasks {
  readonly usages: {
    readonly ask: SourceText & { readonly symbol: string };
    readonly answer: readonly Usage[];
  };
  readonly errors: { readonly ask: SourceText; readonly answer: readonly SyntaxFault[] };
}

/** Milliseconds that one file may take, loading its grammar included. */
const defaultDeadline = 10_000;

/**
 * Parses code in a thread of its own, so that the process stays responsive. Handles one file at a time. The
 * thread starts with the first file. It ends on a cancel and when a file takes too long; the next file
 * starts another one.
 */
export class ParserThread {
  readonly #signal: AbortSignal;
  readonly #thread: WorkerPool<ParserTasks>;

  constructor(signal: AbortSignal, deadline = defaultDeadline) {
    this.#signal = signal;
    this.#thread = new WorkerPool<ParserTasks>({
      start: () => startThread(workerUrl("parser.worker", import.meta.url), { memoryLimit: 512 }),
      toError: ({ message }) => new Error(message),
      deadline,
      idleAfter: 60_000,
    });
  }

  /**
   * The usages of a symbol in a text, in order. Undefined when no grammar can read the text in time. Rejects
   * with the signal's reason once that is aborted, and with ToolError `unavailable` where the grammars have
   * yet to be fetched.
   */
  usages(path: string, text: string, symbol: string): Promise<readonly Usage[] | undefined> {
    return this.#run("usages", { path, text, symbol });
  }

  /** The syntax errors of a text; otherwise as `usages`. */
  errors(path: string, text: string): Promise<readonly SyntaxFault[] | undefined> {
    return this.#run("errors", { path, text });
  }

  /** Ends the thread. */
  end(): Promise<void> {
    return this.#thread.end();
  }

  async #run<K extends keyof ParserTasks>(
    task: K,
    source: ParserTasks[K]["ask"],
  ): Promise<ParserTasks[K]["answer"] | undefined> {
    requireExtra("code", import.meta.url);
    try {
      return await this.#thread.run(task, source, { signal: this.#signal });
    } catch {
      this.#signal.throwIfAborted();
      return undefined;
    }
  }
}

import { startThread, WorkerConnection, workerUrl } from "@pergola/kit-worker";
import { ToolError } from "@pergola/sdk";
import type { IndexQuery } from "../index/queries.ts";
import type { IndexAnswer, IndexSettings, IndexTasks } from "./messages.ts";

/** Milliseconds that a thread may take to close its files. */
const closePatience = 1500;

const failed = (reason: string): ToolError =>
  new ToolError("unavailable", `The index could not be used: ${reason}.`, {
    hint: "Search with file_operations instead, or tell the person: `pergola doctor` shows what is wrong.",
  });

/** The thread of one index. The process may end while nobody waits for it. */
export class IndexLink {
  readonly settings: IndexSettings;
  readonly #connection: WorkerConnection<IndexTasks>;

  constructor(settings: IndexSettings) {
    this.settings = settings;
    const thread = startThread(workerUrl("catalog.worker", import.meta.url), {
      name: "system-search",
      workerData: settings,
    });
    this.#connection = new WorkerConnection<IndexTasks>(thread, {
      toError: ({ message }) => failed(message),
      isIdleUnref: true,
    });
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  /** Rejects with ToolError `unavailable`, or with the signal's reason. */
  ask(query: IndexQuery, patience: number, signal: AbortSignal): Promise<IndexAnswer> {
    return this.#connection.ask("find", { query, patience }, { signal });
  }

  async close(): Promise<void> {
    await this.#connection.close(closePatience);
  }
}

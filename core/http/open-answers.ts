import type { ServerResponse } from "node:http";
import type { Caller } from "@pergola/sdk";

/** The answers under way to callers with a token, so that they end with it. */
export class OpenAnswers {
  readonly #byCaller = new Map<string, Set<ServerResponse>>();
  /** Every caller whose answers have been ended, in turn. */
  readonly #ended: string[] = [];
  readonly #cut = new WeakSet<ServerResponse>();

  /** A moment for `add`: before it is asked who calls. */
  now(): number {
    return this.#ended.length;
  }

  /** Cuts the answer off at once where the caller has ended since. */
  add({ kind, id }: Caller, response: ServerResponse, since: number): void {
    if (kind === "owner" || kind === "anyone") return;
    if (this.#ended.includes(id, since)) return this.#end(response);
    const answers = this.#byCaller.get(id) ?? new Set();
    this.#byCaller.set(id, answers.add(response));
    response.once("close", () => {
      answers.delete(response);
      if (answers.size === 0 && this.#byCaller.get(id) === answers) this.#byCaller.delete(id);
    });
  }

  endOf(callerId: string): void {
    this.#ended.push(callerId);
    for (const response of this.#byCaller.get(callerId) ?? []) this.#end(response);
  }

  /** Whether it was ended here, and not left by its client. */
  hasEnded(response: ServerResponse): boolean {
    return this.#cut.has(response);
  }

  #end(response: ServerResponse): void {
    this.#cut.add(response);
    response.destroy();
  }
}

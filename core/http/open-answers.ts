import type { ServerResponse } from "node:http";
import type { Caller } from "@pergola/sdk";

/** The answers under way to callers with a token, so that they end with it. */
export class OpenAnswers {
  readonly #byCaller = new Map<string, Set<ServerResponse>>();

  add({ kind, id }: Caller, response: ServerResponse): void {
    if (kind === "owner" || kind === "anyone") return;
    const answers = this.#byCaller.get(id) ?? new Set();
    this.#byCaller.set(id, answers.add(response));
    response.once("close", () => {
      answers.delete(response);
      if (answers.size === 0 && this.#byCaller.get(id) === answers) this.#byCaller.delete(id);
    });
  }

  endOf(callerId: string): void {
    for (const response of this.#byCaller.get(callerId) ?? []) response.destroy();
  }
}

import { askPerson, describe, type Decision } from "./ask-person.ts";
import type { Question } from "./read-events.ts";
import type { Screen } from "./screen.ts";
import { jsonOf, type Service } from "./service.ts";

interface Around {
  readonly service: Service;
  readonly screen: Screen;
  /** Somebody is there to ask. */
  readonly person: boolean;
  /** Ends the run. */
  readonly stop: () => void;
}

const nobody = "Nobody is at the terminal to decide this.";

/** Puts the questions of a run to the person, one after the other, and hands the answers on. */
export class Questions {
  readonly #around: Around;
  readonly #open = new Map<string, AbortController>();
  #last: Promise<void> = Promise.resolve();

  constructor(around: Around) {
    this.#around = around;
  }

  ask(question: Question): void {
    const closing = new AbortController();
    this.#open.set(question.toolCallId, closing);
    this.#last = this.#last
      .then(async () => this.#put(question, closing.signal))
      .catch((error: unknown) => this.#around.screen.line((error as Error).message));
  }

  /** It was answered, here or elsewhere, or there is nothing to answer any more. */
  close(toolCallId: string): void {
    this.#open.get(toolCallId)?.abort();
    this.#open.delete(toolCallId);
  }

  /** Closes what is open; resolves when the terminal is free again. */
  async end(): Promise<void> {
    for (const toolCallId of this.#open.keys()) this.close(toolCallId);
    await this.#last;
  }

  async #put(question: Question, signal: AbortSignal): Promise<void> {
    const { service, person, stop } = this.#around;
    if (signal.aborted) return;
    const decision = person ? await this.#atTerminal(question, signal) : this.#withoutPerson(question);
    if (signal.aborted || decision === undefined) return;
    if (decision === "stop") return stop();
    const { toolCallId } = question;
    await jsonOf(await service.call("POST", "/api/chat/tool-response", { toolCallId, ...decision }));
  }

  async #atTerminal(question: Question, signal: AbortSignal): Promise<Decision | "stop"> {
    const { screen } = this.#around;
    screen.line(describe(question));
    screen.hold();
    try {
      return await askPerson(question, signal);
    } finally {
      screen.release();
    }
  }

  /**
   * A service of others leaves the question to their other clients; for one of our own nobody else will ever
   * answer.
   */
  #withoutPerson(question: Question): Decision | undefined {
    const { service, screen } = this.#around;
    screen.line(`${describe(question)}\n${nobody}`);
    if (service.own)
      return question.kind === "approval"
        ? { approved: false, userResponse: nobody }
        : { userResponse: nobody };
    screen.line(`It stays open: POST ${service.url}/api/approvals/${question.toolCallId}`);
    return undefined;
  }
}

import { askPerson, describe, type Decision } from "./ask-person.ts";
import type { Chunk, Question } from "./read-events.ts";
import type { Screen } from "./screen.ts";
import type { Service } from "./service.ts";

interface Around {
  readonly service: Service;
  readonly screen: Screen;
  /** Somebody is at the terminal. */
  readonly hasPerson: boolean;
  /** Cancels the run. */
  readonly stop: () => void;
}

const nobody = "Nobody is at the terminal to decide this.";

/** Asks the person the questions of a run, one after the other, and sends the answers to the service. */
export class Questions {
  readonly #around: Around;
  readonly #open = new Map<string, AbortController>();
  #last: Promise<void> = Promise.resolve();

  constructor(around: Around) {
    this.#around = around;
  }

  /** Asks or withdraws a question, if the event is about one. */
  handle(event: Chunk["event"]): void {
    if (event?.type === "user_input_required") this.#ask(event);
    if (event?.type === "user_input_resolved") this.#withdraw(event.toolCallId ?? "");
  }

  #ask(question: Question): void {
    const closing = new AbortController();
    this.#open.set(question.toolCallId, closing);
    this.#last = this.#last
      .then(async () => this.#put(question, closing.signal))
      .catch((error: unknown) => this.#around.screen.line((error as Error).message));
  }

  /** Withdraws a question that was answered, here or elsewhere, or no longer needs an answer. */
  #withdraw(toolCallId: string): void {
    this.#open.get(toolCallId)?.abort();
    this.#open.delete(toolCallId);
  }

  /** Withdraws all questions. Resolves once the terminal is free again. */
  async end(): Promise<void> {
    for (const toolCallId of this.#open.keys()) this.#withdraw(toolCallId);
    await this.#last;
  }

  async #put(question: Question, signal: AbortSignal): Promise<void> {
    const { service, stop } = this.#around;
    if (signal.aborted) return;
    const decision = await this.#decide(question, signal);
    if (signal.aborted || decision === undefined) return;
    if (decision === "stop") return stop();
    const { toolCallId } = question;
    await service.send("POST", "/api/chat/tool-response", { toolCallId, ...decision });
  }

  async #decide(question: Question, signal: AbortSignal): Promise<Decision | "stop" | undefined> {
    const { screen, hasPerson } = this.#around;
    if (!hasPerson) return this.#withoutPerson(question);
    screen.line(describe(question));
    screen.hold();
    try {
      return await askPerson(question, signal);
    } finally {
      screen.release();
    }
  }

  /** A shared service may have other clients that answer. A service of this command has none: refuse. */
  #withoutPerson(question: Question): Decision | undefined {
    const { service, screen } = this.#around;
    screen.line(`${describe(question)}\n${nobody}`);
    if (!service.own) {
      screen.line(`To answer it: POST ${service.url}/api/approvals/${question.toolCallId}`);
      return undefined;
    }
    if (question.kind === "approval") return { approved: false, userResponse: nobody };
    return { userResponse: nobody };
  }
}

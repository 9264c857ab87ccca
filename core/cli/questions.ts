import { setTimeout as sleep } from "node:timers/promises";
import { countOf } from "@pergola/sdk";
import { askPerson, describe, type Decision } from "./ask-person.ts";
import type { Approval } from "./find-approval.ts";
import type { Chunk, Question } from "./read-events.ts";
import type { Screen } from "./screen.ts";
import type { Service } from "./service.ts";

/** How the questions of a run are answered. */
export interface QuestionOptions {
  /** Operations, or families of them, that are allowed without asking. */
  readonly allow?: readonly string[];
  /** How many seconds an answer from elsewhere is awaited when nobody is at the terminal. */
  readonly wait?: number;
}

interface Around extends QuestionOptions {
  readonly service: Service;
  readonly screen: Screen;
  /** Somebody is at the terminal. */
  readonly hasPerson: boolean;
  /** The events are read again: a question may have been answered long ago. */
  readonly replays: boolean;
  /** Cancels the run. */
  readonly stop: () => void;
}

const nobody = "Nobody is at the terminal to decide this.";

/** How many seconds a service that runs on its own is left to find somebody who answers. */
const patience = 600;

function isAllowed(
  { kind, tool, operation, authorize_operation: authorized }: Question,
  allow: readonly string[],
) {
  if (kind !== "approval") return false;
  const name = authorized ?? `${tool}.${operation}`;
  return allow.includes(name) || allow.includes(name.replace(/\..*$/, ""));
}

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
    const { service, stop, replays } = this.#around;
    if (signal.aborted) return;
    const stored = await this.#stored(question);
    if (replays && stored?.status !== "pending") return;
    const decision = await this.#decide({ ...question, ...stored, type: question.type }, signal);
    if (signal.aborted || decision === undefined) return;
    if (decision === "stop") return stop();
    const { toolCallId } = question;
    await service.send("POST", "/api/chat/tool-response", { toolCallId, ...decision });
  }

  /** The question as the service keeps it, with each line that the call would change. */
  async #stored({ toolCallId, approvalId = toolCallId }: Question): Promise<Approval | undefined> {
    const { service, replays } = this.#around;
    const asked = service.get<Approval>(`/api/approvals/${encodeURIComponent(approvalId)}`);
    // A token that may chat and not approve sees no more of it than the event says.
    return replays ? asked : asked.catch(() => undefined);
  }

  async #decide(question: Question, signal: AbortSignal): Promise<Decision | "stop" | undefined> {
    const { screen, hasPerson, allow = [] } = this.#around;
    if (isAllowed(question, allow)) return { approved: true };
    screen.line(describe(question));
    if (!hasPerson) return this.#withoutPerson(question, signal);
    screen.hold();
    try {
      return await askPerson(question, signal);
    } finally {
      screen.release();
    }
  }

  /** Waits for an answer from elsewhere, unless the service is this command's own, which few know of. */
  async #withoutPerson(question: Question, signal: AbortSignal): Promise<Decision> {
    const { service, screen, wait = service.own ? 0 : patience } = this.#around;
    screen.line(nobody);
    if (wait === 0) return refuse(question, nobody);
    const id = question.approvalId ?? question.toolCallId;
    const command = question.kind === "approval" ? `allow ${id}` : `answer ${id} <text>`;
    const time = countOf(wait, "second", "seconds");
    screen.line(`To answer it within ${time}: pergola approvals ${command}, or pergola approvals deny ${id}`);
    await sleep(wait * 1000, undefined, { signal }).catch(() => undefined);
    return refuse(question, `Nobody answered within ${time}.`);
  }
}

function refuse({ kind }: Question, userResponse: string): Decision {
  if (kind === "approval") return { approved: false, userResponse };
  return { userResponse };
}

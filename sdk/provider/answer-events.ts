import type { ModelEvent } from "../contract/provider.ts";

/**
 * Holds what was read of an answer until it is handed on; pieces of text that come one after the other are
 * one event then.
 */
export class AnswerEvents {
  #events: ModelEvent[] = [];

  /** Nothing for "". */
  addText(type: "text" | "reasoning", text: string): void {
    if (text === "") return;
    const last = this.#events.at(-1);
    if (last?.type === type) this.#events[this.#events.length - 1] = { type, text: last.text + text };
    else this.#events.push({ type, text });
  }

  push(event: ModelEvent): void {
    this.#events.push(event);
  }

  warn(text: string): void {
    this.#events.push({ type: "warning", text });
  }

  /** What has come since the last time. */
  take(): readonly ModelEvent[] {
    const events = this.#events;
    if (events.length > 0) this.#events = [];
    return events;
  }
}

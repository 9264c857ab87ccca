import { extensionFields, type LiveRun, type RunEvent } from "@pergola/sdk";
import type { Part, PartFields } from "./wire-answer.ts";

/** The model and the time of an answer, the same in all its lines. */
export const headOf = ({ model, record }: Pick<LiveRun, "model" | "record">) => ({
  model: model.modelId,
  created_at: record.createdAt,
});

export interface LineChoices {
  readonly toolEvents: boolean;
  readonly includeReasoning: boolean;
}

/** The lines of one stream: a JSON object each, ended by a line feed. */
export class Lines {
  readonly #head: string;
  readonly #fields: PartFields;
  readonly #choices: LineChoices;

  constructor(head: object, fields: PartFields, choices: LineChoices) {
    this.#head = JSON.stringify(head).slice(0, -1);
    this.#fields = fields;
    this.#choices = choices;
  }

  /** A line with a piece of the answer; `more` are its further fields. */
  line(part: Part, more: object = { done: false }): string {
    const fields = JSON.stringify({ ...this.#fields(part), ...more });
    return `${this.#head},${fields.slice(1)}\n`;
  }

  /** What is sent while nothing happens. */
  get ping(): string {
    return this.line({ text: "" });
  }

  /** The line of an event; undefined where the format has none, or where the client does not want it. */
  of(event: RunEvent): string | undefined {
    if (event.type === "text") return this.line({ text: event.text });
    if (event.type === "caller_call") return this.line({ text: "", calls: [event.call] });
    if (event.type === "reasoning") {
      if (!this.#choices.includeReasoning) return undefined;
      return this.line({ text: "", thinking: event.text });
    }
    const carried = extensionFields(event, this.#choices);
    return carried && this.line({ text: "" }, { done: false, ...carried });
  }
}

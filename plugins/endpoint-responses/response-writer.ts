import { extensionFields, type RunEvent, type RunOutcome, type ToolCall } from "@pergola/sdk";
import { itemId, type ItemPrefix } from "./ids.ts";
import { callFormOf, textForms, type ItemStatus, type TextForm } from "./output-items.ts";
import { statusOf } from "./response-object.ts";

/** An event of the format, but for its number. */
export interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface OpenItem {
  readonly form: TextForm;
  readonly id: string;
  text: string;
}

/**
 * Turns a run's events into those of a response, and gathers its output: an item is opened, grows, and is
 * closed by the next of another kind.
 */
export class ResponseWriter {
  readonly #responseId: string;
  readonly #toolEvents: boolean;
  readonly #output: object[] = [];
  readonly #counts = new Map<ItemPrefix, number>();
  #open: OpenItem | undefined;

  constructor(responseId: string, { toolEvents }: { readonly toolEvents: boolean }) {
    this.#responseId = responseId;
    this.#toolEvents = toolEvents;
  }

  /** The items that are complete. */
  get output(): readonly object[] {
    return this.#output;
  }

  /** The items that are complete, and the one that grows. */
  get outputSoFar(): readonly object[] {
    if (this.#open === undefined) return this.#output;
    const { form, id, text } = this.#open;
    return [...this.#output, form.item(id, "in_progress", text)];
  }

  #nextId(prefix: ItemPrefix): string {
    const count = this.#counts.get(prefix) ?? 0;
    this.#counts.set(prefix, count + 1);
    return itemId(prefix, this.#responseId, count);
  }

  /** What the format has no event for travels as `keepalive`, which clients ignore. */
  take(event: Exclude<RunEvent, { readonly type: "end" }>): readonly ResponseEvent[] {
    if (event.type === "text" || event.type === "reasoning")
      return this.#grow(textForms[event.type], event.text);
    if (event.type === "caller_call") return [...this.#close("completed"), ...this.#call(event.call)];
    const carried = extensionFields(event, { toolEvents: this.#toolEvents });
    if (carried === undefined) return [];
    return [{ type: "keepalive", ...carried }];
  }

  /** The last item, as the run's end leaves it. */
  end(outcome: RunOutcome): readonly ResponseEvent[] {
    const isComplete = statusOf(outcome) === "completed";
    return this.#close(isComplete ? "completed" : "incomplete");
  }

  #grow(form: TextForm, text: string): readonly ResponseEvent[] {
    const open = this.#open;
    if (open?.form !== form)
      return [...this.#close("completed"), ...this.#begin(form), ...this.#grow(form, text)];
    open.text += text;
    return [{ type: `${form.textEvents}.delta`, ...this.#place(open), delta: text, ...form.textFields }];
  }

  #begin(form: TextForm): readonly ResponseEvent[] {
    const open = { form, id: this.#nextId(form.prefix), text: "" };
    this.#open = open;
    return [
      {
        type: "response.output_item.added",
        output_index: this.#output.length,
        item: form.item(open.id, "in_progress"),
      },
      { type: `${form.partEvents}.added`, ...this.#place(open), part: form.part("") },
    ];
  }

  #close(status: ItemStatus): readonly ResponseEvent[] {
    const open = this.#open;
    if (open === undefined) return [];
    const { form, id, text } = open;
    const place = this.#place(open);
    const item = form.item(id, status, text);
    const output_index = this.#output.length;
    this.#open = undefined;
    this.#output.push(item);
    return [
      { type: `${form.textEvents}.done`, ...place, text, ...form.textFields },
      { type: `${form.partEvents}.done`, ...place, part: form.part(text) },
      { type: "response.output_item.done", output_index, item },
    ];
  }

  #call(call: ToolCall): readonly ResponseEvent[] {
    const form = callFormOf(call);
    const output_index = this.#output.length;
    const item_id = this.#nextId(form.prefix);
    const item = form.item(item_id, "completed", call);
    this.#output.push(item);
    return [
      {
        type: "response.output_item.added",
        output_index,
        item: form.item(item_id, "in_progress", form.begun(call)),
      },
      { type: `${form.events}.delta`, item_id, output_index, delta: form.textOf(call) },
      { type: `${form.events}.done`, item_id, output_index, ...form.done(call) },
      { type: "response.output_item.done", output_index, item },
    ];
  }

  #place({ form, id }: OpenItem) {
    return { item_id: id, output_index: this.#output.length, ...form.place };
  }
}

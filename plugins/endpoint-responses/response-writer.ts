import { extensionFields, type RunEvent, type RunOutcome, type ToolCall } from "@pergola/sdk";
import { itemId, type ItemPrefix } from "./ids.ts";
import { callFormOf, textForms, type CallForm, type ItemStatus, type TextForm } from "./output-items.ts";
import { statusOf } from "./response-object.ts";

/** An event of the format, but for its number. */
export interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface OpenItem<Form> {
  readonly form: Form;
  readonly id: string;
  /** Its place in the output. */
  readonly index: number;
  text: string;
}

interface OpenCall extends OpenItem<CallForm> {
  /** Without its arguments. */
  readonly call: ToolCall;
}

/**
 * Turns a run's events into those of a response, and gathers its output: an item is opened, grows, and is
 * closed: a call when it is whole, other items by the next of another kind.
 */
export class ResponseWriter {
  readonly #responseId: string;
  readonly #toolEvents: boolean;
  /** Complete items; undefined where one grows. */
  readonly #items: (object | undefined)[] = [];
  readonly #counts = new Map<ItemPrefix, number>();
  /** By the run's number of the call; undefined once it is whole. */
  readonly #calls = new Map<number, OpenCall | undefined>();
  #open: OpenItem<TextForm> | undefined;

  constructor(responseId: string, { toolEvents }: { readonly toolEvents: boolean }) {
    this.#responseId = responseId;
    this.#toolEvents = toolEvents;
  }

  /** The items that are complete. */
  get output(): readonly object[] {
    return this.#items.filter((item) => item !== undefined);
  }

  /** The items that are complete, and those that grow. */
  get outputSoFar(): readonly object[] {
    const items = [...this.#items];
    for (const open of [this.#open, ...this.#calls.values()])
      if (open !== undefined) items[open.index] = this.#itemOf(open, "in_progress");
    return items.filter((item) => item !== undefined);
  }

  #itemOf(open: OpenItem<TextForm> | OpenCall, status: ItemStatus): object {
    if (!("call" in open)) return open.form.item(open.id, status, open.text);
    return open.form.item(open.id, status, { ...open.call, arguments: open.text });
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
    if (event.type === "caller_call_begun")
      return [...this.#close("completed"), ...this.#beginCall(event.index, event.call)];
    if (event.type === "caller_call_delta") return this.#growCall(event.index, event.text);
    if (event.type === "caller_call") return this.#wholeCall(event.index, event.call);
    const carried = extensionFields(event, { toolEvents: this.#toolEvents });
    if (carried === undefined) return [];
    return [{ type: "keepalive", ...carried }];
  }

  /** The last item, as the run's end leaves it. */
  end(outcome: RunOutcome): readonly ResponseEvent[] {
    const isComplete = statusOf(outcome) === "completed";
    const last = this.#close(isComplete ? "completed" : "incomplete");
    const open = [...this.#calls.values()].filter((call) => call !== undefined);
    return [...last, ...open.flatMap((call) => this.#closeCall(call, "incomplete"))];
  }

  #grow(form: TextForm, text: string): readonly ResponseEvent[] {
    const open = this.#open;
    if (open?.form !== form)
      return [...this.#close("completed"), ...this.#begin(form), ...this.#grow(form, text)];
    open.text += text;
    return [{ type: `${form.textEvents}.delta`, ...this.#place(open), delta: text, ...form.textFields }];
  }

  #begin(form: TextForm): readonly ResponseEvent[] {
    const open = { form, id: this.#nextId(form.prefix), index: this.#reserve(), text: "" };
    this.#open = open;
    return [
      {
        type: "response.output_item.added",
        output_index: open.index,
        item: form.item(open.id, "in_progress"),
      },
      { type: `${form.partEvents}.added`, ...this.#place(open), part: form.part("") },
    ];
  }

  #close(status: ItemStatus): readonly ResponseEvent[] {
    const open = this.#open;
    if (open === undefined) return [];
    const { form, index, text } = open;
    const place = this.#place(open);
    const item = this.#itemOf(open, status);
    this.#open = undefined;
    this.#items[index] = item;
    return [
      { type: `${form.textEvents}.done`, ...place, text, ...form.textFields },
      { type: `${form.partEvents}.done`, ...place, part: form.part(text) },
      { type: "response.output_item.done", output_index: index, item },
    ];
  }

  /** The place of an item that begins. */
  #reserve(): number {
    return this.#items.push(undefined) - 1;
  }

  /** A run that was interrupted begins a call anew. */
  #beginCall(number: number, named: Omit<ToolCall, "arguments">): readonly ResponseEvent[] {
    const left = this.#calls.get(number);
    if (left !== undefined) {
      this.#calls.delete(number);
      return [...this.#closeCall(left, "incomplete"), ...this.#beginCall(number, named)];
    }
    const call = { ...named, arguments: "" };
    const form = callFormOf(call);
    const open = { form, id: this.#nextId(form.prefix), index: this.#reserve(), text: "", call };
    this.#calls.set(number, open);
    const item = form.item(open.id, "in_progress", call);
    return [{ type: "response.output_item.added", output_index: open.index, item }];
  }

  #growCall(number: number, delta: string): readonly ResponseEvent[] {
    const open = this.#calls.get(number);
    if (open === undefined) return [];
    open.text += delta;
    const { form, id, index } = open;
    return [{ type: `${form.events}.delta`, item_id: id, output_index: index, delta }];
  }

  #wholeCall(number: number, call: ToolCall): readonly ResponseEvent[] {
    if (!this.#calls.has(number))
      return [
        ...this.#close("completed"),
        ...this.#beginCall(number, call),
        ...this.#growCall(number, callFormOf(call).textOf(call)),
        ...this.#wholeCall(number, call),
      ];
    const open = this.#calls.get(number);
    if (open === undefined) return [];
    this.#calls.set(number, undefined);
    return this.#closeCall({ ...open, call }, "completed", call);
  }

  #closeCall(
    { form, id: item_id, index: output_index, call, text }: OpenCall,
    status: ItemStatus,
    whole: ToolCall = { ...call, arguments: text },
  ): readonly ResponseEvent[] {
    const item = form.item(item_id, status, whole);
    this.#items[output_index] = item;
    return [
      { type: `${form.events}.done`, item_id, output_index, ...form.done(whole) },
      { type: "response.output_item.done", output_index, item },
    ];
  }

  #place({ form, id, index }: OpenItem<TextForm>) {
    return { item_id: id, output_index: index, ...form.place };
  }
}

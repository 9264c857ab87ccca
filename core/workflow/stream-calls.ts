import type { ToolCall } from "@pergola/sdk";
import type { NamedCall } from "@pergola/sdk/host";
import { clientText, inCallersForm } from "./callers-form.ts";
import type { Flow } from "./flow.ts";
import { FreeFormReader } from "./free-form-reader.ts";
import { nameCalls } from "./name-calls.ts";

interface OpenCall {
  readonly index: number;
  readonly named: NamedCall;
  /** The call as the model writes it: it grows. */
  readonly call: ToolCall;
  readonly reader: Pick<FreeFormReader, "push">;
  /** What the client has of its arguments. */
  sent: string;
  isWhole: boolean;
}

/** Never hands on half a character. */
class PlainReader {
  #half = "";

  push(piece: string): string {
    const text = this.#half + piece;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    return text.slice(0, text.length - this.#half.length);
  }
}

function isJson(text: string): boolean {
  if (!/\}\s*$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Hands the calls of the caller's tools on while the model writes them. A call begins when its name is known;
 * it is whole when the answer is, or when another one follows it.
 */
export class CallStream {
  readonly #flow: Pick<Flow, "parts" | "run">;
  readonly #callers: ReadonlySet<string>;
  /** By the provider's index, in the order in which they began. */
  readonly #open = new Map<number, OpenCall>();
  readonly #unnamed = new Map<number, ToolCall>();
  /** The request wants its calls one by one: only the first one is handed on. */
  readonly #isSingle: boolean;
  #first: number | undefined;

  constructor(flow: Pick<Flow, "parts" | "run">) {
    const { request, record } = flow.run;
    // What the last iteration calls is not handed on.
    const isLast = record.iterations >= record.maxIterations;
    this.#flow = flow;
    this.#isSingle = request.sampling.parallelToolCalls === false;
    this.#callers = new Set(isLast ? [] : request.callerTools.map(({ name }) => name));
  }

  /** Calls wait for `begin`. */
  get isBehind(): boolean {
    return this.#unnamed.size > 0;
  }

  take(index: number, call: ToolCall, piece: string): void {
    this.#first ??= index;
    if (this.#isSingle && index !== this.#first) return;
    const open = this.#open.get(index);
    if (open !== undefined) this.#extend(open, piece);
    else if (this.#callers.has(call.name)) this.#unnamed.set(index, call);
  }

  /** Begins the calls that came since the last time, with what they hold so far. */
  async begin(): Promise<void> {
    for (const [index, call] of this.#unnamed) {
      this.#unnamed.delete(index);
      const { id, name } = call;
      const [given] = await nameCalls(this.#flow, [{ id, name, arguments: "" }]);
      const { arguments: _, ...named } = given as NamedCall;
      const isFreeForm = named.form?.freeForm === true;
      const open: OpenCall = {
        index: this.#open.size,
        named: { ...named, arguments: "" },
        call,
        reader: isFreeForm ? new FreeFormReader() : new PlainReader(),
        sent: "",
        isWhole: false,
      };
      this.#open.set(index, open);
      this.#endBefore(open);
      this.#flow.run.emit({ type: "caller_call_begun", index: open.index, call: named });
      this.#extend(open, call.arguments);
    }
  }

  #extend(open: OpenCall, piece: string): void {
    if (open.isWhole || piece === "") return;
    if (this.#open.size > 1) this.#endBefore(open);
    this.#send(open, open.reader.push(piece));
  }

  #send(open: OpenCall, text: string): void {
    if (text === "") return;
    open.sent += text;
    this.#flow.run.emit({ type: "caller_call_delta", index: open.index, text });
  }

  /**
   * Models write one call after the other; should one mix them, a call goes on until its JSON is whole. One
   * that has nothing of it yet has no arguments if the next one gets some.
   */
  #endBefore(current: OpenCall): void {
    for (const open of this.#open.values()) {
      if (open === current) return;
      const { arguments: args } = open.call;
      if (open.isWhole) continue;
      if (isJson(args) || (args === "" && current.call.arguments !== "")) this.#end(open);
    }
  }

  #end(open: OpenCall): NamedCall {
    const { callerTools } = this.#flow.run.request;
    const { named, call, index, sent, isWhole } = open;
    const whole = inCallersForm({ ...named, arguments: call.arguments || "{}" }, callerTools);
    if (isWhole) return whole;
    open.isWhole = true;
    const text = clientText(whole);
    if (text.startsWith(sent)) this.#send(open, text.slice(sent.length));
    this.#flow.run.emit({ type: "caller_call", index, call: whole });
    return whole;
  }

  /** Ends all that have begun: the answer is whole. Gives them by the provider's index. */
  end(): ReadonlyMap<number, NamedCall> {
    return new Map([...this.#open].map(([index, open]) => [index, this.#end(open)]));
  }
}

import type { ModelEvent } from "@pergola/sdk";

type ToolCallEvent = Extract<ModelEvent, { type: "tool_call" }>;

interface OpenCall {
  readonly index: number;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
}

interface Delta {
  readonly at: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly arguments: string;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const argumentsOf = (value: unknown): string =>
  isObject(value) ? JSON.stringify(value) : (textOf(value) ?? "");

function read(delta: Readonly<Record<string, unknown>>): Delta {
  const called = isObject(delta["function"]) ? delta["function"] : {};
  const { index } = delta;
  return {
    at: typeof index === "number" ? index : undefined,
    id: textOf(delta["id"]),
    name: textOf(called["name"]),
    arguments: argumentsOf(called["arguments"]),
  };
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Tells the calls in a stream of `tool_calls` deltas apart, numbers them from 0 in order of appearance and
 * says each id and name once. The index decides; where servers leave it out or give it to several calls, the
 * id does, and after it a second name.
 */
export class ToolCallDeltas {
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();

  get count(): number {
    return this.#calls.length;
  }

  /** The event of one delta; undefined when it says nothing. */
  take(value: unknown): ToolCallEvent | undefined {
    if (!isObject(value)) return undefined;
    const delta = read(value);
    const known = this.#find(delta);
    const call = known === undefined || opens(delta, known) ? this.#open(delta) : known;
    return this.#continue(call, delta, call !== known);
  }

  #find({ at, id }: Delta): OpenCall | undefined {
    if (at !== undefined) return this.#byIndex.get(at);
    return (id === undefined ? undefined : this.#byId.get(id)) ?? this.#calls.at(-1);
  }

  #open({ at, id }: Delta): OpenCall {
    const call: OpenCall = { index: this.#calls.length, id: undefined, name: undefined, arguments: "" };
    this.#calls.push(call);
    if (at !== undefined) this.#byIndex.set(at, call);
    if (id !== undefined) this.#byId.set(id, call);
    return call;
  }

  #continue(call: OpenCall, delta: Delta, isNew: boolean): ToolCallEvent | undefined {
    const id = call.id === undefined ? delta.id : undefined;
    const name = call.name === undefined ? delta.name : undefined;
    call.id ??= delta.id;
    call.name ??= delta.name;
    call.arguments += delta.arguments;
    if (!isNew && id === undefined && name === undefined && delta.arguments === "") return undefined;
    return {
      type: "tool_call",
      index: call.index,
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      ...(delta.arguments === "" ? {} : { arguments: delta.arguments }),
    };
  }
}

/**
 * Whether a delta that points at a known call begins another one. A server may also repeat id and name in
 * every delta of one call.
 */
function opens({ id, name, arguments: more }: Delta, call: OpenCall): boolean {
  if (name === undefined || call.name === undefined) return false;
  if (name !== call.name) return true;
  if (id !== undefined && call.id !== undefined && id !== call.id) return true;
  return more !== "" && call.arguments !== "" && isWhole(call.arguments);
}

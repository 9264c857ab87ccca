import { defined, isObject, stringOf, type ModelEvent } from "@pergola/sdk";
import { JsonExtent } from "./json-extent.ts";
import { fieldsOf, parseJson, type Fields } from "./json-values.ts";

type ToolCallEvent = Extract<ModelEvent, { type: "tool_call" }>;

/** "" where a field has not come yet. */
interface OpenCall {
  readonly index: number;
  id: string;
  name: string;
  arguments: string;
  readonly extent: JsonExtent;
}

interface Delta {
  /** Its own `index`, where it has one. */
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

function readDelta(delta: Fields): Delta {
  const { index, id, function: called } = delta;
  const { name, arguments: args } = fieldsOf(called);
  return {
    index: typeof index === "number" ? index : undefined,
    id: stringOf(id),
    name: stringOf(name),
    arguments: isObject(args) ? JSON.stringify(args) : stringOf(args),
  };
}

/**
 * Puts the calls of an answer together from its `tool_calls` deltas. Calls are numbered from 0 in order of
 * appearance, and each id and name is given once. The index decides which call a delta belongs to; where a
 * server leaves it out or gives it to several calls, the id does, and after it a second name.
 */
export class ToolCallDeltas {
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();

  get count(): number {
    return this.#calls.length;
  }

  /** The event of one delta; undefined when it adds nothing. */
  take(value: unknown): ToolCallEvent | undefined {
    if (!isObject(value)) return undefined;
    const delta = readDelta(value);
    const known = this.#find(delta);
    if (known === undefined || startsNewCall(delta, known)) return applyDelta(this.#open(delta), delta);
    const event = applyDelta(known, delta);
    if (Object.keys(event).length === 2) return undefined;
    return event;
  }

  #find({ index, id }: Delta): OpenCall | undefined {
    if (index !== undefined) return this.#byIndex.get(index);
    return this.#byId.get(id) ?? this.#calls.at(-1);
  }

  #open({ index, id }: Delta): OpenCall {
    const call: OpenCall = {
      index: this.#calls.length,
      id: "",
      name: "",
      arguments: "",
      extent: new JsonExtent(),
    };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    if (id !== "") this.#byId.set(id, call);
    return call;
  }
}

/** Adds a delta to its call; the event has what is new. */
function applyDelta(call: OpenCall, delta: Delta): ToolCallEvent {
  const event = defined({
    type: "tool_call" as const,
    index: call.index,
    id: call.id === "" ? delta.id || undefined : undefined,
    name: call.name === "" ? delta.name || undefined : undefined,
    arguments: delta.arguments || undefined,
  });
  call.id ||= delta.id;
  call.name ||= delta.name;
  call.arguments += delta.arguments;
  call.extent.take(delta.arguments);
  return event;
}

/**
 * Whether a delta that points at a known call begins another one. A server may also repeat id and name in
 * every delta of one call.
 */
function startsNewCall({ id, name, arguments: more }: Delta, call: OpenCall): boolean {
  if (name === "" || call.name === "") return false;
  if (name !== call.name) return true;
  if (id !== "" && call.id !== "" && id !== call.id) return true;
  return more !== "" && call.extent.isClosed && parseJson(call.arguments) !== undefined;
}

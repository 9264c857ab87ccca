import type { ModelCall, ModelEvent, Usage } from "@pergola/sdk";

/** One thing a scripted model does. What a provider may yield stands for itself; the others are shorthand. */
export type ScriptStep =
  | ModelEvent
  /** A list is sent piece by piece. */
  | { readonly text: string | readonly string[] }
  | { readonly reasoning: string | readonly string[] }
  /**
   * Several calls in one step are parallel. A list of texts is sent piece by piece; an object is sent as its
   * JSON text.
   */
  | { readonly toolCalls: readonly ScriptedCall[] }
  | { readonly usage: Usage }
  /** Fails as the provider's HTTP answer of that status would. */
  | { readonly error: { readonly status: number; readonly message?: string; readonly retryAfter?: number } }
  | { readonly delayMs: number }
  /** Says nothing more until the test lets it. */
  | { readonly until: Promise<unknown> }
  /** Says nothing more until the caller goes away. */
  | { readonly hang: true };

export interface ScriptedCall {
  readonly name: string;
  readonly arguments: string | readonly string[] | { readonly [name: string]: unknown };
  /** Default: `call_<turn>_<number>`, both from 1. */
  readonly id?: string;
}

export type ScriptTurn =
  | ScriptStep
  | readonly ScriptStep[]
  /** `expect` sees the call before it is answered; what it throws fails the call. */
  | { readonly play: ScriptStep | readonly ScriptStep[]; readonly expect?: (call: ModelCall) => void };

/** One turn per model call; or a function of the call and of its number, from 0. */
export type Script = readonly ScriptTurn[] | ((call: ModelCall, index: number) => ScriptTurn);

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);
const listOf = <T>(value: T | readonly T[]): readonly T[] => (isList(value) ? value : [value]);

export const stepsOf = (turn: ScriptTurn): readonly ScriptStep[] =>
  !isList(turn) && "play" in turn ? listOf(turn.play) : listOf(turn);

function piecesOf({ arguments: args }: ScriptedCall): readonly string[] {
  if (typeof args === "string") return [args];
  return Array.isArray(args) ? (args as readonly string[]) : [JSON.stringify(args)];
}

function* callEvents(calls: readonly ScriptedCall[], turn: number, first: number): Generator<ModelEvent> {
  const pieces = calls.map(piecesOf);
  for (const [at, { name, id }] of calls.entries()) {
    const index = first + at;
    yield {
      type: "tool_call",
      index,
      id: id ?? `call_${turn}_${index + 1}`,
      name,
      arguments: pieces[at]?.[0] ?? "",
    };
  }
  const longest = Math.max(...pieces.map(({ length }) => length));
  for (let piece = 1; piece < longest; piece++) {
    for (const [at, texts] of pieces.entries()) {
      const text = texts[piece];
      if (text !== undefined) yield { type: "tool_call", index: first + at, arguments: text };
    }
  }
}

/**
 * The events of a step that has any; the pieces of parallel calls take turns. `turn` counts from 1; `first`
 * is the number of calls that the turn has made so far.
 */
export function eventsOf(step: ScriptStep, turn = 1, first = 0): readonly ModelEvent[] {
  if ("type" in step) return [step];
  if ("text" in step) return listOf(step.text).map((text) => ({ type: "text", text }));
  if ("reasoning" in step) return listOf(step.reasoning).map((text) => ({ type: "reasoning", text }));
  if ("usage" in step) return [{ type: "usage", usage: step.usage }];
  return "toolCalls" in step ? [...callEvents(step.toolCalls, turn, first)] : [];
}

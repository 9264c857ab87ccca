import { isObject, type ModelEvent } from "@pergola/sdk";
import { TextFilter, type TextPiece } from "@pergola/sdk/host";
import { parseJson } from "@pergola/kit-provider";

interface WrittenCall {
  readonly name: string;
  readonly arguments: string;
}

/**
 * A call as models write it: `{ name, arguments }`, the same inside `function`, or with another word for the
 * arguments.
 */
function callOf(value: unknown): WrittenCall | undefined {
  if (!isObject(value)) return undefined;
  let call = value;
  if (isObject(value["function"])) call = value["function"];
  const { name, arguments: args = call["parameters"] ?? call["args"] ?? call["input"] ?? {} } = call;
  if (typeof name !== "string" || name === "") return undefined;
  if (typeof args === "string") return { name, arguments: args };
  return { name, arguments: JSON.stringify(args) };
}

const allOf = (values: readonly unknown[]): readonly WrittenCall[] | undefined => {
  const calls = values.map(callOf).filter((call) => call !== undefined);
  if (calls.length === values.length && calls.length > 0) return calls;
  return undefined;
};

/**
 * A block that is no call: what can be told of it is called all the same, so that the model hears what is
 * wrong with it.
 */
function damaged(text: string): WrittenCall {
  const name = /"name"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? "tool_call";
  return { name, arguments: /"(?:arguments|parameters|args|input)"\s*:\s*([^]*)$/.exec(text)?.[1] ?? text };
}

/**
 * The calls of one block: an object, a list of them, or one on each line, with or without a code fence
 * around.
 */
export function parseWrittenCalls(block: string): readonly WrittenCall[] {
  const text = block.trim().replace(/^```\w*\s*([^]*?)\s*```$/, "$1");
  if (text === "") return [];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values = [parseJson(text)].flat();
  return allOf(values) ?? allOf(lines.map(parseJson)) ?? [damaged(text)];
}

/** Takes the calls out of an answer's text. */
class WrittenCalls {
  readonly #filter = new TextFilter();
  #count = 0;

  *take(event: ModelEvent): Iterable<ModelEvent> {
    if (event.type === "text") yield* this.#events(this.#filter.push(event.text));
    else if (event.type === "end") yield* this.#end(event);
    else {
      if (event.type === "tool_call") this.#count = Math.max(this.#count, event.index + 1);
      yield event;
    }
  }

  *#end(event: Extract<ModelEvent, { readonly type: "end" }>): Iterable<ModelEvent> {
    yield* this.#events(this.#filter.end());
    if (event.reason === "stop" && this.#count > 0) yield { ...event, reason: "tool_calls" };
    else yield event;
  }

  /** What the loop takes out itself is handed on as it was. */
  *#events(pieces: readonly TextPiece[]): Iterable<ModelEvent> {
    for (const piece of pieces) {
      if (piece.type === "tool_call") yield* this.#calls(piece.text);
      else if (piece.type === "title") yield { type: "text", text: `<!--session:${piece.text}-->` };
      else if (piece.type === "stop") yield { type: "text", text: '{"status":"stop"}' };
      else yield { type: piece.type, text: piece.text };
    }
  }

  *#calls(block: string): Iterable<ModelEvent> {
    for (const call of parseWrittenCalls(block)) {
      yield { type: "tool_call", index: this.#count++, ...call };
    }
  }
}

/**
 * The answer of a model whose tools stand in its prompt: `<tool_call>` blocks become tool calls and never
 * text, however the text is split; think tags become reasoning, so that a call that was only thought of is
 * none. Calls have no id; the host gives them one.
 */
export async function* readWrittenCalls(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  const calls = new WrittenCalls();
  for await (const event of events) yield* calls.take(event);
}

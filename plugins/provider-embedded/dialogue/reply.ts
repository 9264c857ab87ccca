import { createHash } from "node:crypto";
import type { ModelCall, ModelEvent } from "@pergola/sdk";
import { textOf } from "./turn.ts";

/** What the guide answers: text, or one call of a tool. */
export type Reply =
  | { readonly text: string }
  | { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };

const tokens = (characters: number): number => Math.ceil(characters / 4);

/** Characters of a call's messages and tools. */
function promptLength({ messages, tools }: ModelCall): number {
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
  const texts = [
    ...messages.map(textOf),
    ...calls.flatMap(({ name, arguments: args }) => [name, args]),
    ...tools.flatMap(({ name, description, parameters }) => [name, description, JSON.stringify(parameters)]),
  ];
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** Pieces of some words each; joined they are the text. */
export const piecesOf = (text: string): readonly string[] => text.match(/\s*(?:\S+\s*){1,3}|\s+/g) ?? [];

/** An id that the same conversation always gives, and no other. */
function callId({ messages }: ModelCall): string {
  return `call_${createHash("sha256").update(JSON.stringify(messages)).digest("hex").slice(0, 24)}`;
}

/** The text up to the first stop word, and at most as long as the caller allows. */
function limited(text: string, { maxTokens, stop }: ModelCall["sampling"]) {
  const places = [stop ?? []]
    .flat()
    .filter((each) => each !== "")
    .map((each) => text.indexOf(each))
    .filter((place) => place >= 0);
  const stopped = text.slice(0, Math.min(text.length, ...places));
  const most = (maxTokens ?? Number.POSITIVE_INFINITY) * 4;
  if (stopped.length <= most) return { text: stopped, reason: "stop" } as const;
  return { text: stopped.slice(0, most).replace(/[\uD800-\uDBFF]$/, ""), reason: "length" } as const;
}

/** A reply as the stream of a model; its usage is estimated at four characters a token. */
export function* eventsOf(reply: Reply, call: ModelCall): Iterable<ModelEvent> {
  const promptTokens = tokens(promptLength(call));
  if ("tool" in reply) {
    const json = JSON.stringify(reply.arguments);
    yield { type: "tool_call", index: 0, id: callId(call), name: reply.tool, arguments: json };
    yield {
      type: "usage",
      usage: { promptTokens, completionTokens: tokens(reply.tool.length + json.length) },
    };
    yield { type: "end", reason: "tool_calls" };
    return;
  }
  const { text, reason } = limited(reply.text, call.sampling);
  for (const piece of piecesOf(text)) yield { type: "text", text: piece };
  yield { type: "usage", usage: { promptTokens, completionTokens: tokens(text.length) } };
  yield { type: "end", reason };
}

import { type ScriptStep } from "@pergola/sdk/testing";
import { user } from "../support/chat.ts";

export type Fields = Readonly<Record<string, unknown>>;
export type Piece =
  { readonly call: number; readonly text: string } | { readonly call: number; readonly name: string };

export const parameters = { type: "object", properties: { path: { type: "string" } } };
export const question = [user("Write the file")];

export interface ChatCall {
  readonly index: number;
  readonly function?: { readonly name?: string; readonly arguments?: string };
  readonly custom?: { readonly name?: string; readonly input?: string };
}

/** How a format asks with a tool `write_file`, and what its events say of calls. */
export interface Format {
  readonly path: string;
  readonly body: (name: string) => object;
  readonly piecesOf: (data: Fields) => readonly Piece[];
}

export const nameOrText = (call: number, name: string | undefined, text: string | undefined): Piece =>
  name === undefined ? { call, text: text ?? "" } : { call, name };

export function chatPieces({ choices = [] }: { readonly choices?: readonly { readonly delta: Fields }[] }) {
  const calls = (choices[0]?.delta["tool_calls"] ?? []) as readonly ChatCall[];
  return calls.map(({ index, function: plain, custom }) =>
    nameOrText(index, plain?.name ?? custom?.name, plain?.arguments ?? custom?.input),
  );
}

export function messagePieces({ type, index, content_block: block, delta }: Fields): readonly Piece[] {
  const started = block as Fields | undefined;
  if (type === "content_block_start" && started?.["type"] === "tool_use")
    return [nameOrText(Number(index), String(started["name"]), undefined)];
  const json = (delta as Fields | undefined)?.["partial_json"];
  return typeof json === "string" ? [nameOrText(Number(index), undefined, json)] : [];
}

export function responsePieces({ type, output_index: index, item, delta }: Fields): readonly Piece[] {
  const { type: kind, name } = (item ?? {}) as Fields;
  if (type === "response.output_item.added" && /_call$/.test(String(kind)))
    return [nameOrText(Number(index), String(name), undefined)];
  if (!/(?:arguments|input)\.delta$/.test(String(type))) return [];
  return [nameOrText(Number(index), undefined, String(delta))];
}

export const formats: Readonly<Record<string, Format>> = {
  chat: {
    path: "/v1/chat/completions",
    body: (name) => ({ messages: question, tools: [{ type: "function", function: { name, parameters } }] }),
    piecesOf: chatPieces,
  },
  Messages: {
    path: "/v1/messages",
    body: (name) => ({ messages: question, max_tokens: 99, tools: [{ name, input_schema: parameters }] }),
    piecesOf: messagePieces,
  },
  Responses: {
    path: "/v1/responses",
    body: (name) => ({ input: "Write the file", tools: [{ type: "function", name, parameters }] }),
    piecesOf: responsePieces,
  },
};

export const begin = (name: string, index = 0, id = `call_${name}`): ScriptStep => ({
  type: "tool_call",
  index,
  id,
  name,
  arguments: "",
});
export const more = (text: string, index = 0): ScriptStep => ({ type: "tool_call", index, arguments: text });

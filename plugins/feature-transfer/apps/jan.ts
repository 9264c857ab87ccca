import path from "node:path";
import { stringOf } from "@pergola/sdk";
import { fieldsOf, listOf, mark, objectsOf, paragraphs, splitThoughts } from "../reading/fields.ts";
import { Tally } from "../reading/tally.ts";
import type { App, AppConversation, AppMessage, AppReader, Fields } from "./app.ts";

type Read = Pick<AppMessage, "text" | "reasoning">;

function readPart({ type, text }: Fields, leftOut: Tally): Read {
  const kind = stringOf(type);
  const value = typeof text === "string" ? text : stringOf(fieldsOf(text)["value"]);
  if (kind === "reasoning") return { text: "", reasoning: value };
  if (kind === "text") return splitThoughts(value);
  if (/^tool/.test(kind)) leftOut.add("toolSteps");
  else leftOut.add(/image/.test(kind) ? "pictures" : "files");
  if (/^tool/.test(kind)) return { text: "" };
  return { text: mark(/image/.test(kind) ? "picture" : "file") };
}

function readMessage(message: Fields, index: number, leftOut: Tally): AppMessage {
  const { role, content, created_at: time } = message;
  const base = { id: String(index), parentId: index === 0 ? null : String(index - 1), time };
  if (role === "system") leftOut.add("systemPrompts");
  if (role === "tool") leftOut.add("toolSteps");
  if (role !== "user" && role !== "assistant") return { ...base, role: null, text: "" };
  const parts = objectsOf(content).map((part) => readPart(part, leftOut));
  leftOut.add("toolSteps", listOf(fieldsOf(message["metadata"])["tool_calls"]).length);
  const text = paragraphs(...parts.map((part) => part.text));
  const reasoning = paragraphs(...parts.map((part) => part.reasoning ?? ""));
  return { ...base, role: text === "" ? null : role, text, reasoning };
}

function read(id: string, thread: Fields, items: readonly Fields[]): AppConversation {
  const leftOut = new Tally();
  const [assistant = {}] = objectsOf(thread["assistants"]);
  if (stringOf(assistant["instructions"]) !== "") leftOut.add("systemPrompts");
  return {
    id,
    title: stringOf(thread["title"]),
    created: thread["created"],
    updated: thread["updated"],
    model: stringOf(fieldsOf(assistant["model"])["id"]),
    messages: items.map((item, index) => readMessage(item, index, leftOut)),
    leftOut,
  };
}

/** A thread is in one file, its messages in another. */
class Threads implements AppReader {
  readonly #threads = new Map<string, Fields>();
  readonly #messages = new Map<string, Fields[]>();

  *add(item: Fields, name: string): Iterable<AppConversation> {
    const folder = path.basename(path.dirname(name));
    if (item["object"] === "thread") {
      const id = stringOf(item["id"]) || folder;
      this.#threads.set(id, item);
      // By name, messages.jsonl comes before thread.json.
      if (this.#messages.has(id)) yield this.#complete(id);
      return;
    }
    const id = stringOf(item["thread_id"]) || folder;
    const messages = this.#messages.get(id);
    if (messages === undefined) this.#messages.set(id, [item]);
    else messages.push(item);
  }

  *end(): Iterable<AppConversation> {
    const ids = new Set([...this.#threads.keys(), ...this.#messages.keys()]);
    for (const id of ids) yield this.#complete(id);
  }

  #complete(id: string): AppConversation {
    const conversation = read(id, this.#threads.get(id) ?? {}, this.#messages.get(id) ?? []);
    this.#threads.delete(id);
    this.#messages.delete(id);
    return conversation;
  }
}

/**
 * The folder `threads` of Jan, or a folder in it (`thread.json`, `messages.jsonl`); also what `jan threads`
 * prints. Lists without branches.
 */
export const jan: App = {
  id: "jan",
  name: "Jan",
  recognizes: ({ object }) => object === "thread" || object === "thread.message",
  open: () => new Threads(),
};

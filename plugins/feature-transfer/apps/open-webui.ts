import { isObject, stringOf } from "@pergola/sdk";
import {
  fieldsOf,
  firstText,
  listOf,
  mark,
  objectsOf,
  paragraphs,
  splitThoughts,
} from "../reading/fields.ts";
import { Tally } from "../reading/tally.ts";
import { eachItem, type App, type AppConversation, type AppMessage, type Fields } from "./app.ts";

const [blockStart, blockEnd] = ['<details type="', "</details>"];

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
  "&#39;": "'",
  "&amp;": "&",
};

/** The thoughts in a block: quoted lines below a summary that says how long they took. */
function thoughtsIn(block: string): string {
  const start = block.indexOf("</summary>");
  return block
    .slice(start < 0 ? block.indexOf(">") + 1 : start + "</summary>".length)
    .replaceAll(/&(?:lt|gt|quot|#x27|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .split("\n")
    .map((line) => line.replace(/^\s*> ?/, ""))
    .join("\n")
    .trim();
}

/** The text of an answer without the blocks that the app has put into it: thoughts, and calls of tools. */
function readAnswer(content: string, leftOut: Tally): Pick<AppMessage, "text" | "reasoning"> {
  const texts: string[] = [];
  const thoughts: string[] = [];
  let at = 0;
  for (let start = content.indexOf(blockStart); start >= 0; start = content.indexOf(blockStart, at)) {
    const end = content.indexOf(blockEnd, start);
    if (end < 0) break;
    texts.push(content.slice(at, start));
    at = end + blockEnd.length;
    const block = content.slice(start, end);
    if (block.startsWith('reasoning"', blockStart.length)) thoughts.push(thoughtsIn(block));
    else leftOut.add("toolSteps");
  }
  const { text, reasoning = "" } = splitThoughts(
    paragraphs(...texts.map((each) => each.trim()), content.slice(at)),
  );
  return { text: text.trim(), reasoning: paragraphs(...thoughts, reasoning) };
}

function partText({ type, text }: Fields, leftOut: Tally): string {
  if (type === "text") return stringOf(text);
  leftOut.add(type === "image_url" ? "pictures" : "unknownParts");
  return type === "image_url" ? mark("picture") : "";
}

function fileText(file: Fields, leftOut: Tally): string {
  const isPicture = file["type"] === "image" || stringOf(file["content_type"]).startsWith("image/");
  leftOut.add(isPicture ? "pictures" : "files");
  return isPicture
    ? mark("picture")
    : mark("file", firstText(file["name"], fieldsOf(file["file"])["filename"]));
}

function readMessage(
  message: Fields,
  place: Pick<AppMessage, "id" | "parentId">,
  leftOut: Tally,
): AppMessage {
  const { role, content, files } = message;
  const base = { ...place, time: message["timestamp"] };
  const written =
    typeof content === "string"
      ? content
      : paragraphs(...objectsOf(content).map((part) => partText(part, leftOut)));
  if (role === "system" || role === "tool") {
    leftOut.add(role === "system" ? "systemPrompts" : "toolSteps");
    return { ...base, role: null, text: "" };
  }
  const marks = objectsOf(files).map((file) => fileText(file, leftOut));
  const said = role === "assistant" ? readAnswer(written, leftOut) : { text: written };
  const text = paragraphs(said.text, ...marks);
  return {
    ...base,
    ...said,
    text,
    role: text !== "" && (role === "user" || role === "assistant") ? role : null,
  };
}

/** The tree of messages, or the list of exports before there was one. */
function readMessages(chat: Fields, leftOut: Tally): readonly AppMessage[] {
  const tree = fieldsOf(chat["history"])["messages"];
  if (isObject(tree))
    return Object.entries(tree)
      .filter((entry): entry is [string, Fields] => isObject(entry[1]))
      .map(([id, message]) =>
        readMessage(message, { id, parentId: stringOf(message["parentId"]) || null }, leftOut),
      );
  return objectsOf(chat["messages"]).map((message, index) =>
    readMessage(message, { id: String(index), parentId: index === 0 ? null : String(index - 1) }, leftOut),
  );
}

function modelOf(chat: Fields): string {
  const messages = Object.values(fieldsOf(fieldsOf(chat["history"])["messages"]));
  const named = messages.map((message) => stringOf(fieldsOf(message)["model"]));
  return named.findLast((name) => name !== "") ?? stringOf(listOf(chat["models"])[0]);
}

function read(item: Fields): AppConversation {
  const chat = fieldsOf(item["chat"]);
  const leftOut = new Tally();
  if (firstText(chat["system"], fieldsOf(chat["params"])["system"]) !== "") leftOut.add("systemPrompts");
  const messages = readMessages(chat, leftOut);
  return {
    id: firstText(item["id"], chat["id"]),
    title: firstText(item["title"], chat["title"]),
    created: item["created_at"] ?? chat["timestamp"],
    updated: item["updated_at"],
    model: modelOf(chat),
    isPinned: item["pinned"] === true,
    messages,
    currentId: stringOf(fieldsOf(chat["history"])["currentId"]) || (messages.at(-1)?.id ?? ""),
    leftOut,
  };
}

/** The file that "Export chats" of Open WebUI writes, or that of one chat: trees under `chat.history`. */
export const openWebui: App = {
  id: "open-webui",
  name: "Open WebUI",
  recognizes: ({ chat }) => isObject(chat) && (isObject(chat["history"]) || Array.isArray(chat["messages"])),
  open: eachItem(read),
};

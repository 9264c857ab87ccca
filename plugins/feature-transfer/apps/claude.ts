import { stringOf } from "@pergola/sdk";
import { firstText, mark, objectsOf, paragraphs } from "../reading/fields.ts";
import { Tally } from "../reading/tally.ts";
import { eachItem, type App, type AppConversation, type AppMessage, type Fields } from "./app.ts";

const roles: Readonly<Record<string, AppMessage["role"]>> = {
  human: "user",
  user: "user",
  assistant: "assistant",
};

const toolKinds = new Set(["tool_use", "tool_result"]);
/** Blocks that hold nothing that anybody said. */
const idleKinds = new Set(["token_budget", "flag"]);

/** What a block of a message says, and what the model thought. */
type Block = Pick<AppMessage, "text" | "reasoning">;

function readBlock({ type, text, thinking, title }: Fields, leftOut: Tally): Block {
  const kind = stringOf(type);
  if (kind === "text") return { text: stringOf(text) };
  if (kind === "thinking") return { text: "", reasoning: stringOf(thinking) };
  if (kind === "voice_note") return { text: firstText(text, title) };
  if (toolKinds.has(kind)) leftOut.add("toolSteps");
  else if (!idleKinds.has(kind)) leftOut.add("unknownParts");
  return { text: "" };
}

/** Text that was pasted is attached without a name. */
function attachmentText({ file_name: name, extracted_content: text }: Fields, leftOut: Tally): string {
  const content = stringOf(text);
  if (content !== "") return paragraphs(stringOf(name) && `[${stringOf(name)}]`, content);
  leftOut.add("files");
  return mark("file", stringOf(name));
}

function fileText({ file_name: name, file_kind: kind }: Fields, leftOut: Tally): string {
  const isPicture = kind === "image" || /\.(png|jpe?g|gif|webp)$/i.test(stringOf(name));
  leftOut.add(isPicture ? "pictures" : "files");
  return mark(isPicture ? "picture" : "file", stringOf(name));
}

function readMessage(message: Fields, previous: string | null, leftOut: Tally): AppMessage {
  const blocks = objectsOf(message["content"]).map((block) => readBlock(block, leftOut));
  const said = paragraphs(...blocks.map(({ text }) => text));
  // Where there are blocks, `text` repeats them, with words of the app for what it cannot show.
  const text = paragraphs(
    blocks.length === 0 ? stringOf(message["text"]) : said,
    ...objectsOf(message["attachments"]).map((each) => attachmentText(each, leftOut)),
    ...objectsOf(message["files"]).map((each) => fileText(each, leftOut)),
  );
  const { parent_message_uuid: parent } = message;
  return {
    id: stringOf(message["uuid"]),
    parentId: typeof parent === "string" ? parent : previous,
    role: text === "" ? null : (roles[stringOf(message["sender"])] ?? null),
    text,
    reasoning: paragraphs(...blocks.map(({ reasoning = "" }) => reasoning)),
    time: message["created_at"],
  };
}

function read(item: Fields): AppConversation {
  const leftOut = new Tally();
  const messages: AppMessage[] = [];
  for (const message of objectsOf(item["chat_messages"]))
    messages.push(readMessage(message, messages.at(-1)?.id ?? null, leftOut));
  return {
    id: stringOf(item["uuid"]),
    title: stringOf(item["name"]),
    created: item["created_at"],
    updated: item["updated_at"],
    model: stringOf(item["model"]),
    isPinned: item["is_starred"] === true,
    messages,
    currentId: stringOf(item["current_leaf_message_uuid"]) || (messages.at(-1)?.id ?? ""),
    leftOut,
  };
}

/** `conversations.json` of an export from the settings of Claude: messages that name their parents. */
export const claude: App = {
  id: "claude",
  name: "Claude",
  recognizes: ({ chat_messages: messages }) => Array.isArray(messages),
  open: eachItem(read),
};

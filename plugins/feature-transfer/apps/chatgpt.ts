import { isObject, stringOf } from "@pergola/sdk";
import { fieldsOf, firstText, listOf, mark, objectsOf, paragraphs } from "../reading/fields.ts";
import { Tally } from "../reading/tally.ts";
import { eachItem, type App, type AppConversation, type AppMessage, type Fields } from "./app.ts";

type Read = Pick<AppMessage, "role" | "text" | "reasoning">;

const nothing: Read = { role: null, text: "" };

/** Kinds of content that hold what a person told the app to say to every model. */
const instructionKinds = new Set(["user_editable_context", "model_editable_context"]);

/** How sources are cited inside a text: signs that only the app shows. */
const citation = /\ue200(?:file)?cite[^\ue200\ue201]*\ue201/g;

const roleOf = (message: Fields): string => stringOf(fieldsOf(message["author"])["role"]);

function partText(part: unknown, leftOut: Tally): string {
  if (typeof part === "string") return part;
  const { content_type: kind, text } = fieldsOf(part);
  if (typeof text === "string") return text;
  if (kind === "image_asset_pointer") {
    leftOut.add("pictures");
    return mark("picture");
  }
  leftOut.add(/audio|video/.test(stringOf(kind)) ? "recordings" : "unknownParts");
  return "";
}

function attachmentTexts({ metadata }: Fields, leftOut: Tally): readonly string[] {
  const files = objectsOf(fieldsOf(metadata)["attachments"]).filter(
    // Pictures are among the parts, too.
    ({ mime_type: type, mimeType = type }) => !stringOf(mimeType).startsWith("image/"),
  );
  leftOut.add("files", files.length);
  return files.map(({ name }) => mark("file", stringOf(name)));
}

function textOf(content: Fields, leftOut: Tally): string {
  const { content_type: kind, parts, text } = content;
  if (kind === "code") return `\`\`\`\n${stringOf(text)}\n\`\`\``;
  if (parts === undefined) return firstText(text, content["result"]);
  return listOf(parts)
    .map((part) => partText(part, leftOut))
    .filter((each) => each !== "")
    .join("\n")
    .replaceAll(citation, "");
}

const thoughtsOf = (content: Fields): string =>
  paragraphs(
    ...objectsOf(content["thoughts"]).map(({ summary, content: text }) =>
      paragraphs(stringOf(summary), stringOf(text)),
    ),
  );

function leaveOutStep(content: Fields, leftOut: Tally): Read {
  leftOut.add("toolSteps");
  const pictures = objectsOf(content["parts"]).filter(
    ({ content_type: kind }) => kind === "image_asset_pointer",
  );
  leftOut.add("pictures", pictures.length);
  return nothing;
}

function leaveOutPrompt(content: Fields, leftOut: Tally): Read {
  const own = new Tally();
  if (textOf(content, own) !== "" || instructionKinds.has(stringOf(content["content_type"])))
    leftOut.add("systemPrompts");
  return nothing;
}

/** Whether it is between a model and a tool. */
const isToolStep = (message: Fields): boolean =>
  roleOf(message) === "tool" || (stringOf(message["recipient"]) || "all") !== "all";

function readSpoken(message: Fields, content: Fields, leftOut: Tally): Read {
  const text = paragraphs(textOf(content, leftOut), ...attachmentTexts(message, leftOut));
  if (message["channel"] === "analysis") return { role: null, text: "", reasoning: text };
  const role = roleOf(message);
  if (text !== "" && (role === "user" || role === "assistant")) return { role, text };
  if (text !== "") leftOut.add("unknownParts");
  return nothing;
}

function readMessage(message: Fields, leftOut: Tally): Read {
  const content = fieldsOf(message["content"]);
  const kind = stringOf(content["content_type"]);
  if (roleOf(message) === "system" || instructionKinds.has(kind)) return leaveOutPrompt(content, leftOut);
  if (isToolStep(message)) return leaveOutStep(content, leftOut);
  if (fieldsOf(message["metadata"])["is_visually_hidden_from_conversation"] === true) {
    leftOut.add("hiddenMessages");
    return nothing;
  }
  if (kind === "thoughts") return { role: null, text: "", reasoning: thoughtsOf(content) };
  // It only says how long the model thought.
  if (kind === "reasoning_recap") return nothing;
  return readSpoken(message, content, leftOut);
}

/** The node before each: as it says itself, or as the one before says. */
function parentsOf(nodes: readonly (readonly [string, Fields])[]): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const [id, { children }] of nodes)
    for (const child of listOf(children)) if (typeof child === "string") parents.set(child, id);
  for (const [id, { parent }] of nodes) if (typeof parent === "string") parents.set(id, parent);
  return parents;
}

/** The last model that is named; models change within a conversation. */
function modelOf(item: Fields, messages: readonly Fields[]): string {
  const named = messages.map(({ metadata }) => stringOf(fieldsOf(metadata)["model_slug"]));
  return named.findLast((name) => name !== "") ?? stringOf(item["default_model_slug"]);
}

function read(item: Fields): AppConversation {
  const nodes = Object.entries(fieldsOf(item["mapping"])).filter((entry): entry is [string, Fields] =>
    isObject(entry[1]),
  );
  const parents = parentsOf(nodes);
  const leftOut = new Tally();
  const messages = nodes.map(([id, { message }]): AppMessage => {
    const parentId = parents.get(id) ?? null;
    if (!isObject(message)) return { id, parentId, ...nothing };
    return { id, parentId, time: message["create_time"], ...readMessage(message, leftOut) };
  });
  return {
    id: firstText(item["conversation_id"], item["id"]),
    title: stringOf(item["title"]),
    created: item["create_time"],
    updated: item["update_time"],
    model: modelOf(
      item,
      nodes.map(([, { message }]) => fieldsOf(message)),
    ),
    isPinned: item["is_starred"] === true,
    messages,
    currentId: stringOf(item["current_node"]),
    leftOut,
  };
}

/** `conversations.json` of an export from the settings of ChatGPT: trees of nodes under `mapping`. */
export const chatgpt: App = {
  id: "chatgpt",
  name: "ChatGPT",
  recognizes: ({ mapping }) => isObject(mapping),
  open: eachItem(read),
};

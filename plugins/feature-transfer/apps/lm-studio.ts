import path from "node:path";
import { stringOf } from "@pergola/sdk";
import { fieldsOf, firstText, mark, objectsOf, paragraphs, splitThoughts } from "../reading/fields.ts";
import { Tally } from "../reading/tally.ts";
import { eachItem, type App, type AppConversation, type AppMessage, type Fields } from "./app.ts";

type Read = Pick<AppMessage, "text" | "reasoning">;

/** Parts of tools are called by what they are: requests, results, states. */
const isToolKind = (kind: string): boolean => /^tool/i.test(kind);

function partText({ type, text, fileType, name }: Fields, leftOut: Tally): string {
  const kind = stringOf(type);
  if (kind === "text") return stringOf(text);
  if (kind === "file") {
    const isPicture = fileType === "image";
    leftOut.add(isPicture ? "pictures" : "files");
    return mark(isPicture ? "picture" : "file", stringOf(name));
  }
  leftOut.add(isToolKind(kind) ? "toolSteps" : "unknownParts");
  return "";
}

const textOf = (content: unknown, leftOut: Tally): string =>
  paragraphs(...objectsOf(content).map((part) => partText(part, leftOut)));

/** A step of an answer: text, thoughts, or what the app did between them. */
function readStep({ type, content, style }: Fields, leftOut: Tally): Read {
  const kind = stringOf(type);
  if (kind !== "contentBlock") {
    if (isToolKind(kind)) leftOut.add("toolSteps");
    return { text: "" };
  }
  const text = textOf(content, leftOut);
  return fieldsOf(style)["type"] === "thinking" ? { text: "", reasoning: text } : splitThoughts(text);
}

function readVersion(version: Fields, leftOut: Tally): Read {
  if (version["type"] !== "multiStep") return splitThoughts(textOf(version["content"], leftOut));
  const steps = objectsOf(version["steps"]).map((step) => readStep(step, leftOut));
  return {
    text: paragraphs(...steps.map(({ text }) => text)),
    reasoning: paragraphs(...steps.map(({ reasoning = "" }) => reasoning)),
  };
}

/** Steps are called by when they were made: milliseconds, a dash, and a random number. */
function timeIn({ steps }: Fields): number | undefined {
  const [, time] = /^(\d{13})-/.exec(stringOf(objectsOf(steps)[0]?.["stepIdentifier"])) ?? [];
  return time === undefined ? undefined : Number(time);
}

function messageOf(version: Fields, place: Pick<AppMessage, "id" | "parentId">, leftOut: Tally): AppMessage {
  const { role } = version;
  const base = { ...place, time: timeIn(version) };
  if (role === "system") {
    leftOut.add("systemPrompts");
    return { ...base, role: null, text: "" };
  }
  const read = readVersion(version, leftOut);
  const isSpoken = read.text !== "" && (role === "user" || role === "assistant");
  return { ...base, ...read, role: isSpoken ? role : null };
}

/** The versions of each message, all below the chosen version of the message before. */
function readMessages(items: readonly Fields[], leftOut: Tally) {
  const messages: AppMessage[] = [];
  let parentId: string | null = null;
  for (const [index, { versions, currentlySelected }] of items.entries()) {
    const all = objectsOf(versions);
    if (all.length === 0) continue;
    for (const [number, version] of all.entries())
      messages.push(messageOf(version, { id: `${index}.${number}`, parentId }, leftOut));
    const chosen = typeof currentlySelected === "number" && currentlySelected in all ? currentlySelected : 0;
    parentId = `${index}.${chosen}`;
  }
  return { messages, currentId: parentId ?? "" };
}

function hasSystemPrompt(item: Fields): boolean {
  const fields = objectsOf(fieldsOf(item["perChatPredictionConfig"])["fields"]);
  const own = fields.find(({ key }) => key === "llm.prediction.systemPrompt")?.["value"];
  return firstText(item["systemPrompt"], own) !== "";
}

/** The files have no ids. Their folders change, their names do not, and a copy has a name of its own. */
function idOf({ createdAt }: Fields, name: string): string {
  return typeof createdAt === "number"
    ? `${createdAt}:${path.posix.basename(name.replaceAll("\\", "/"))}`
    : "";
}

function read(item: Fields, name: string): AppConversation {
  const leftOut = new Tally();
  if (hasSystemPrompt(item)) leftOut.add("systemPrompts");
  const model = fieldsOf(item["lastUsedModel"]);
  return {
    id: idOf(item, name),
    title: stringOf(item["name"]),
    created: item["createdAt"],
    model: firstText(model["identifier"], model["indexedModelIdentifier"]),
    isPinned: item["pinned"] === true,
    ...readMessages(objectsOf(item["messages"]), leftOut),
    leftOut,
  };
}

/** `*.conversation.json` in the folder `conversations` of LM Studio: messages with versions. */
export const lmStudio: App = {
  id: "lm-studio",
  name: "LM Studio",
  recognizes: ({ messages, name, createdAt }) =>
    Array.isArray(messages) &&
    (name !== undefined || createdAt !== undefined) &&
    (messages.length === 0 || Array.isArray(fieldsOf(messages[0])["versions"])),
  open: eachItem(read),
};

import { countOf, type MemoryItem, type Message, type Todo } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { Belongings } from "./belongings.ts";
import { pieces } from "./pages.ts";

const speakers = { user: "You", assistant: "Assistant", system: "System", tool: "Tool" } as const;
const boxes = {
  "not-started": "[ ]",
  "in-progress": "[ ] (in progress)",
  blocked: "[ ] (blocked)",
  completed: "[x]",
} as const;
const moment = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** A block of code that nothing in its text can end. */
function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** What a tool has given back, as a person reads it. */
function resultOf(content: string | null): string {
  try {
    const { success, content: text, data, error } = JSON.parse(content ?? "") as Record<string, unknown>;
    const outcome = success === false ? error : (text ?? data ?? "");
    if (typeof outcome === "string") return outcome;
    return JSON.stringify(outcome, null, 2);
  } catch {
    return content ?? "";
  }
}

function countPictures(parts: unknown): number {
  if (!Array.isArray(parts)) return 0;
  return parts.filter((part: { readonly type?: string }) => part.type === "image_url").length;
}

function* turn(message: Message): Iterable<string> {
  const {
    role,
    content,
    timestamp,
    toolCalls = [],
    toolName = "tool",
    toolOperation,
    toolStatus = "success",
    contentParts,
  } = message;
  if (role === "tool") {
    const name = toolOperation === undefined ? toolName : `${toolName}.${toolOperation}`;
    yield `**${name}** (${toolStatus})\n\n${fenced(resultOf(content))}`;
    return;
  }
  const pictures = countPictures(contentParts);
  if (content || pictures > 0) yield `## ${speakers[role]} · ${moment(timestamp)}`;
  if (content) yield content;
  if (pictures > 0) yield `_${countOf(pictures, "picture")}_`;
  for (const call of toolCalls) yield `Calls **${call.name}**:\n\n${fenced(call.arguments)}`;
}

const todoLine = ({ title, status, description }: Todo): string =>
  `- ${boxes[status]} ${oneLine(title)}${description === undefined ? "" : `: ${oneLine(description)}`}`;

function memoryLine({ content, contentType, createdAt, scopeKind, key }: MemoryItem): string {
  const name = key === null ? "" : `\`${key}\`: `;
  const facts = [contentType, createdAt.slice(0, 10), ...(scopeKind === "topic" ? ["topic"] : [])];
  return `- ${name}${oneLine(content)} _(${facts.join(", ")})_`;
}

async function* blocks(of: Belongings, exportedAt: string): AsyncIterable<string> {
  const { title, created, model } = of.conversation;
  const [folder, topic] = [await of.folder(), await of.topic()];
  const facts = [
    ["Begun", moment(created)],
    ["Model", model ?? ""],
    ["Folder", folder?.name ?? ""],
    ["Topic", topic?.name ?? ""],
    ["Exported", moment(exportedAt)],
  ];
  yield `# ${oneLine(title)}`;
  yield facts
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `- ${name}: ${value}`)
    .join("\n");
  for await (const message of of.messages()) yield* turn(message);
  const todos = await of.todos();
  if (todos.length > 0) yield `# To-dos\n\n${todos.map(todoLine).join("\n")}`;
  let heading = "# Memories\n\n";
  for await (const item of of.memories()) {
    yield heading + memoryLine(item);
    heading = "";
  }
}

async function* texts(
  { redact }: Pick<Parts, "redact">,
  of: Belongings,
  exportedAt: string,
): AsyncIterable<string> {
  let separator = "";
  for await (const block of blocks(of, exportedAt)) {
    yield separator + redact(block);
    separator = "\n\n";
  }
  yield "\n";
}

/** A conversation to be read by people, in pieces. Secrets are redacted. */
export const writeMarkdown = (
  parts: Pick<Parts, "redact">,
  of: Belongings,
  { exportedAt }: { readonly exportedAt: string },
): AsyncIterable<string> => pieces(texts(parts, of, exportedAt));

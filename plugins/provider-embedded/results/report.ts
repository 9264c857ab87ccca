import { isObject, type Json } from "@pergola/sdk";
import { hintForPerson } from "./hint-for-person.ts";
import type { Outcome } from "./outcome.ts";
import { showText } from "./show-text.ts";
import { valueLines } from "./value-lines.ts";

function asSentence(text: string): string {
  const trimmed = text.trim();
  const isWhole = trimmed === "" || /[.!?:)\]]$/.test(trimmed);
  if (isWhole) return trimmed;
  return `${trimmed}.`;
}

function failureReport({ error, message }: Outcome): string {
  const reason = asSentence(error || "The tool gave no reason");
  const parts = ["That did not work.", reason, asSentence(hintForPerson(message))];
  return parts.filter(Boolean).join(" ");
}

/** What the call was made on, for the answer to name it. */
function labelOf({ arguments: args }: Outcome): string {
  const names = ["filePath", "path", "url", "resultId", "toolCallId"];
  const value = names.map((name) => args[name]).find((each) => typeof each === "string");
  return value ?? "The result";
}

const chunkHead = /^\[TOOL_RESULT_CHUNK\]\n([\s\S]*?)\n\n([\s\S]*)$/;

/** A text as it is, in a code block when it has several lines. */
function textReport(text: string): string {
  const [, head = "", body = ""] = chunkHead.exec(text) ?? [];
  if (head !== "") return chunkReport(head, body);
  const trimmed = text.trim();
  if (trimmed.includes("\n")) return showText("", text);
  return trimmed;
}

function chunkReport(head: string, body: string): string {
  const next = /^Next Offset: (\d+)$/m.exec(head)?.[1];
  const more = next && `There is more, from offset ${next} on.`;
  return [showText("", body), more].filter(Boolean).join("\n\n");
}

function dataReport(data: Json): string {
  if (typeof data === "string") return textReport(data);
  const isNothing = data === null || (isObject(data) && Object.keys(data).length === 0);
  if (isNothing) return "";
  return valueLines(data).join("\n");
}

function contentReport(outcome: Outcome, content: string): string {
  const label = labelOf(outcome);
  if (content.trim() === "") return `${label} is empty.`;
  return showText(label, content);
}

function storedNote({ storedAs }: Outcome): string {
  if (storedAs === undefined) return "";
  const say = `Say “show me the stored result ${storedAs}”.`;
  return `The result is longer than this; the whole of it is stored. ${say}`;
}

/** Says what came of a call: the operation's own message and all of its data, and nothing else. */
export function reportOf(outcome: Outcome): string {
  if (!outcome.ok) return failureReport(outcome);
  const { content, data, message } = outcome;
  const isRepeated = typeof data === "string" && data.trim() === message.trim();
  const parts = [
    isRepeated ? "" : asSentence(message),
    content === undefined ? dataReport(data) : contentReport(outcome, content),
    storedNote(outcome),
  ];
  const report = parts.filter(Boolean).join("\n\n");
  return report || "Done; the tool returned nothing.";
}

import { isObject, type Json } from "@pergola/sdk";
import { hintForPerson } from "./hint-for-person.ts";
import type { Outcome } from "./outcome.ts";
import { showText } from "./show-text.ts";
import { valueLines } from "./value-lines.ts";

const asSentence = (text: string): string => {
  const trimmed = text.trim();
  return trimmed === "" || /[.!?:)\]]$/.test(trimmed) ? trimmed : `${trimmed}.`;
};

function failureReport({ error, message }: Outcome): string {
  const reason = asSentence(error === "" ? "The tool gave no reason" : error);
  return ["That did not work.", reason, asSentence(hintForPerson(message))].filter(Boolean).join(" ");
}

/** What the call was made on, for the answer to name it. */
function labelOf({ arguments: args }: Outcome): string {
  const names = ["filePath", "path", "url", "resultId", "toolCallId"];
  const value = names.map((name) => args[name]).find((each) => typeof each === "string");
  return typeof value === "string" ? value : "The result";
}

const chunkHead = /^\[TOOL_RESULT_CHUNK\]\n([\s\S]*?)\n\n([\s\S]*)$/;

/** A text as it is, in a code block when it has several lines. */
function textReport(text: string): string {
  const [, head = "", body = ""] = chunkHead.exec(text) ?? [];
  if (head === "") return text.trim().includes("\n") ? showText("", text) : text.trim();
  const next = /^Next Offset: (\d+)$/m.exec(head)?.[1];
  return next === undefined
    ? showText("", body)
    : `${showText("", body)}\n\nThere is more, from offset ${next} on.`;
}

function dataReport(data: Json): string {
  if (typeof data === "string") return textReport(data);
  return data === null || (isObject(data) && Object.keys(data).length === 0)
    ? ""
    : valueLines(data).join("\n");
}

function contentReport(outcome: Outcome, content: string): string {
  return content.trim() === "" ? `${labelOf(outcome)} is empty.` : showText(labelOf(outcome), content);
}

const storedNote = ({ storedAs }: Outcome): string =>
  storedAs === undefined
    ? ""
    : `The result is longer than this; the whole of it is stored. Say “show me the stored result ${storedAs}”.`;

/** Says what came of a call: the operation's own message and all of its data, and nothing else. */
export function reportOf(outcome: Outcome): string {
  if (!outcome.ok) return failureReport(outcome);
  const { content, data, message } = outcome;
  const report = content === undefined ? dataReport(data) : contentReport(outcome, content);
  const parts = [asSentence(hintForPerson(message)), report, storedNote(outcome)];
  const isRepeated = typeof data === "string" && data.trim() === message.trim();
  const told = parts.slice(isRepeated ? 1 : 0).filter((part) => part !== "");
  return told.length === 0 ? "Done; the tool returned nothing." : told.join("\n\n");
}

import type { VectorCache } from "../embedder/vector-cache.ts";
import type { Outcome } from "../guide/outcome.ts";
import { jsonAnswer } from "./json-values.ts";
import { findPassages } from "./passages.ts";
import type { Question } from "./question.ts";
import { showText } from "./show-text.ts";
import { outline } from "./summary.ts";

/** What the call was made on, for the answer to name it. */
export function labelOf({ arguments: args }: Outcome): string {
  const value = ["filePath", "path", "url", "file", "resultId", "toolCallId"]
    .map((name) => args[name])
    .find((each) => typeof each === "string");
  return typeof value === "string" ? value : "The result";
}

const totalLines = ({ data }: Outcome, text: string): number => {
  const told =
    typeof data === "object" && data !== null && "totalLines" in data
      ? (data as { readonly totalLines?: unknown }).totalLines
      : undefined;
  return typeof told === "number" ? told : text.split("\n").length;
};

const quoted = (passages: readonly string[]): string =>
  passages
    .map((passage) =>
      passage
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n"),
    )
    .join("\n>\n");

/** Answers from the text of a file: the whole of it, a value, or the passages that a question is about. */
export async function fileAnswer(
  question: Question,
  outcome: Outcome,
  text: string,
  vectors: VectorCache,
  signal: AbortSignal,
): Promise<string> {
  const label = labelOf(outcome);
  if (text.trim() === "") return `${label} is empty.`;
  if (question.count && /\blines?\b/i.test(question.text))
    return `${label} has ${totalLines(outcome, text)} lines.`;
  if (question.summary) return outline(label, text);
  if (question.topic.size === 0 || !question.asks) return showText(label, text);
  const value = jsonAnswer(question, text, label);
  if (value !== undefined) return value;
  const passages = await findPassages(question, text, vectors, signal);
  if (passages.length === 0)
    return `I found nothing about that in ${label}. It begins:\n\n${showText("", text.split("\n").slice(0, 10).join("\n"))}`;
  return `${question.presence ? "Yes, as far as the words go. " : ""}${label} says:\n\n${quoted(passages)}`;
}

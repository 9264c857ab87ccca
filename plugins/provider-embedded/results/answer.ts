import type { Json } from "@pergola/sdk";
import type { VectorCache } from "../embedder/vector-cache.ts";
import type { Outcome } from "../guide/outcome.ts";
import { asSentence } from "../language/pronouns.ts";
import { listAnswer, listIn } from "./entries.ts";
import { fileAnswer } from "./file-answer.ts";
import { hintForPerson } from "./hint-for-person.ts";
import { readQuestion } from "./question.ts";
import { recordAnswer } from "./record-answer.ts";
import { showText } from "./show-text.ts";

const failureAnswer = ({ error, message }: Outcome): string =>
  [
    "That did not work.",
    asSentence(error === "" ? "The tool gave no reason" : error),
    hintForPerson(message) === "" ? "" : asSentence(hintForPerson(message)),
  ]
    .join(" ")
    .trim();

const storedNote = ({ storedAs }: Outcome): string =>
  storedAs === undefined
    ? ""
    : `\n\nThe result is longer than this; the whole of it is stored. Say “show me more of ${storedAs}” to go on.`;

async function answerOf(
  message: string,
  outcome: Outcome,
  vectors: VectorCache,
  signal: AbortSignal,
): Promise<string> {
  const question = readQuestion(message);
  const { data, content } = outcome;
  if (content !== undefined) return fileAnswer(question, outcome, content, vectors, signal);
  const report = outcome.message;
  const list = listIn(data);
  if (list !== undefined && !question.change) return listAnswer(question, list, report);
  if (typeof data === "string") return textAnswer(data, report);
  if (report !== "" && (question.change || isReceipt(data))) return asSentence(report);
  if (typeof data === "object" && data !== null && !Array.isArray(data))
    return recordAnswer(question, data as Readonly<Record<string, never>>);
  return asSentence(report === "" ? JSON.stringify(data) : report);
}

/** Nothing but ids: what was done is told in the message beside them. */
const isReceipt = (data: Json): boolean =>
  typeof data === "object" &&
  data !== null &&
  !Array.isArray(data) &&
  Object.keys(data).every((name) => /^id$|(?:_id|Id)$/.test(name));

/** A text as it is, in a code block when it has several lines; what was said beside it when there is none. */
function textAnswer(data: string, report: string): string {
  const text = data.trim();
  if (text === "") return report === "" ? "Done; the tool returned nothing." : asSentence(report);
  const chunk = /^\[TOOL_RESULT_CHUNK\]\n([\s\S]*?)\n\n([\s\S]*)$/.exec(text);
  if (chunk !== null) return chunkAnswer(chunk[1] ?? "", chunk[2] ?? "");
  const spoken = /^User response: ([\s\S]*)$/.exec(text)?.[1];
  if (spoken !== undefined) return `You answered: ${spoken}`;
  return text.split("\n").length > 1 ? showText("", text) : text;
}

function chunkAnswer(head: string, body: string): string {
  const next = /^Next Offset: (\d+)$/m.exec(head)?.[1];
  return `${showText("", body)}${next === undefined ? "" : `\n\nThere is more, from offset ${next} on.`}`;
}

/** Says what came of a call, taken from its result and nothing else. */
export async function answerFrom(
  message: string,
  outcome: Outcome,
  vectors: VectorCache,
  signal: AbortSignal,
): Promise<string> {
  if (!outcome.ok) return failureAnswer(outcome);
  return (await answerOf(message, outcome, vectors, signal)) + storedNote(outcome);
}

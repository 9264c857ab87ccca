import type { Json } from "@pergola/sdk";
import { keyOf } from "../language/concepts.ts";
import type { Question } from "./question.ts";

type Entry = Readonly<Record<string, Json>>;

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
const spaced = (name: string): string => wordsOf(name).join(" ");
const shown = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
const isScalar = (value: Json): boolean => typeof value !== "object" || value === null;

/** Questions whose words are not those of the fields. */
const asked: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:big|large|size|bytes|heavy|how much space)\b/i, /size/i],
  [/\b(?:changed?|modified|edited|touch(?:ed)?|updated|last|saved)\b/i, /modif|changed|updated/i],
  [/\b(?:created?|creation|born|how old|made)\b/i, /creat/i],
  [/\b(?:opened|accessed|read last)\b/i, /access/i],
  [/\b(?:permissions?|rights|mode|allowed)\b/i, /permission|writable|readable|executable/i],
  [/\bwrit(?:e|able)\b/i, /writable/i],
  [/\bexecut(?:e|able)\b|\brun\b/i, /executable/i],
  [/\b(?:type|kind|format|sort)\b/i, /type/i],
  [/\b(?:exists?|is there)\b/i, /exist/i],
];

function relevant(question: Question, data: Entry): readonly (readonly [string, Json])[] {
  const fields = Object.entries(data).filter(([, value]) => isScalar(value));
  const patterns = asked.filter(([words]) => words.test(question.text)).map(([, names]) => names);
  const byPattern = fields.filter(([name]) => patterns.some((pattern) => pattern.test(name)));
  if (byPattern.length > 0) return byPattern;
  return fields.filter(([name]) => wordsOf(name).some((word) => question.topic.has(keyOf(word))));
}

const yesOrNo = (question: Question, fields: readonly (readonly [string, Json])[]): string => {
  const truth = fields.map(([, value]) => value).filter((value) => typeof value === "boolean");
  return question.presence && truth.length === 1 ? (truth[0] === true ? "Yes. " : "No. ") : "";
};

/** The fields of a record that a question asks for, or all of them. */
export function recordAnswer(question: Question, data: Entry): string {
  const found = relevant(question, data);
  const fields = found.length > 0 ? found : Object.entries(data);
  const lines = fields.map(([name, value]) => `- ${spaced(name)}: ${shown(value)}`);
  return `${yesOrNo(question, found)}${lines.length === 1 ? (lines[0] ?? "").slice(2) : `\n${lines.join("\n")}`}`.trim();
}

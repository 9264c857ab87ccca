import type { Json } from "@pergola/sdk";
import { asSentence } from "../language/pronouns.ts";
import type { Question } from "./question.ts";

const most = 50;

type Entry = Readonly<Record<string, Json>>;
const isEntry = (value: Json): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: Json | undefined): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
const oneLine = (value: string): string => value.replaceAll(/\s+/g, " ").trim().slice(0, 240);

const isShort = (value: Json): boolean =>
  value !== null &&
  value !== "" &&
  (typeof value !== "object" ||
    (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string")));

/** A name or title, and the short fields beside it. */
function withFields(head: string, entry: Entry): string {
  const fields = Object.entries(entry).filter(([name, value]) => name !== head && isShort(value));
  const told = fields
    .slice(0, 6)
    .map(
      ([name, value]) =>
        `${name.replaceAll("_", " ")} ${oneLine(Array.isArray(value) ? value.join(", ") : text(value))}`,
    );
  return told.length === 0 ? text(entry[head]) : `${text(entry[head])} (${told.join(", ")})`;
}

/** How entries of a known shape are shown: the first row whose fields are all there. */
const shapes: readonly { readonly needs: readonly string[]; readonly show: (entry: Entry) => string }[] = [
  {
    needs: ["filePath", "lineNumber", "lineText"],
    show: (e) => `${text(e.filePath)}:${text(e.lineNumber)}: ${oneLine(text(e.lineText))}`,
  },
  {
    needs: ["file", "line", "message"],
    show: (e) => `${text(e.file)}:${text(e.line)}: ${text(e.severity)} ${oneLine(text(e.message))}`,
  },
  {
    needs: ["file", "line", "kind"],
    show: (e) => `${text(e.file)}:${text(e.line)} (${text(e.kind)}): ${oneLine(text(e.context))}`,
  },
  {
    needs: ["file", "line", "content"],
    show: (e) => `${text(e.file)}:${text(e.line)}: ${oneLine(text(e.content))}`,
  },
  {
    needs: ["name", "isDirectory"],
    show: (e) => (e.isDirectory === true && !text(e.name).endsWith("/") ? `${text(e.name)}/` : text(e.name)),
  },
  {
    needs: ["title", "url"],
    show: (e) =>
      `[${text(e.title)}](${text(e.url)})${e.snippet === undefined ? "" : `: ${oneLine(text(e.snippet))}`}`,
  },
  {
    needs: ["hash", "subject"],
    show: (e) =>
      [text(e.hash).slice(0, 8), text(e.date), text(e.author), oneLine(text(e.subject))].join("  "),
  },
  {
    needs: ["title", "status"],
    show: (e) => `${e.status === "completed" ? "[x]" : "[ ]"} ${withFields("title", e)}`,
  },
  { needs: ["name"], show: (e) => withFields("name", e) },
  { needs: ["title"], show: (e) => withFields("title", e) },
  { needs: ["content"], show: (e) => oneLine(text(e.content)) },
];

const anyFields = (entry: Entry): string =>
  Object.entries(entry)
    .slice(0, 4)
    .map(([name, value]) => `${name}: ${oneLine(text(value))}`)
    .join(", ");

function showEntry(value: Json): string {
  if (!isEntry(value)) return oneLine(text(value));
  return (shapes.find(({ needs }) => needs.every((name) => name in value))?.show ?? anyFields)(value);
}

/**
 * The first list in a result: the result itself or one of its fields, with the total that stands beside it.
 */
export function listIn(
  data: Json,
): { readonly entries: readonly Json[]; readonly total: number } | undefined {
  if (Array.isArray(data)) return { entries: data as readonly Json[], total: data.length };
  if (!isEntry(data)) return undefined;
  const entries = Object.values(data).find((value) => Array.isArray(value)) as readonly Json[] | undefined;
  if (entries === undefined) return undefined;
  const total = data.totalCount ?? data.total ?? data.count;
  return { entries, total: typeof total === "number" ? total : entries.length };
}

/** A bullet list of what was found, or only its number when that is asked. */
export function listAnswer(
  question: Question,
  { entries, total }: { readonly entries: readonly Json[]; readonly total: number },
  report = "",
): string {
  if (entries.length === 0) return nothing(question, report);
  const head = `${question.presence ? "Yes. " : ""}${total} ${total === 1 ? "entry" : "entries"}`;
  if (question.count) return `${total}.\n\n${bullets(entries.slice(0, 10), total)}`;
  return `${head}:\n\n${bullets(entries.slice(0, most), total)}`;
}

/** What the tool says about finding nothing, where it says so. */
const nothing = ({ presence }: Question, report: string): string => {
  if (/^(?:there (?:is|are) )?(?:no|not|nothing)\b/i.test(report)) return asSentence(report);
  return presence ? "No, nothing was found." : "Nothing was found.";
};

const bullets = (entries: readonly Json[], total: number): string => {
  const lines = entries.map((entry) => `- ${showEntry(entry)}`);
  return (total > entries.length ? [...lines, `- … and ${total - entries.length} more`] : lines).join("\n");
};

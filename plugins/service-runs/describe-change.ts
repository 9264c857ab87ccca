import { countOf, isObject, type ChatMessage } from "@pergola/sdk";
import type { StoredStep } from "@pergola/sdk/host";
import type { Difference, Differences } from "./differences.ts";
import { cutText, excerptsOf } from "./excerpts.ts";

type Texts = Pick<StoredStep, "before" | "after" | "note">;

interface Said {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What was changed, in words: the texts on either side, and the names of what they are. */
export function describeChange({ shown, others }: Differences, redact: (text: string) => string): Texts {
  const said = shown.map((difference) => describe(difference, redact));
  const names = [...new Set(said.map(({ name }) => name))].filter((name) => name !== "");
  const more = others > 0 ? ` and ${countOf(others, "other")} before` : "";
  return {
    before: joined(said, "before"),
    after: joined(said, "after"),
    note: names.length === 0 ? undefined : `changed ${names.join(", ")}${more}`,
  };
}

/** One text stands alone; several have their names. */
function joined(said: readonly Said[], side: "before" | "after"): string {
  if (said.length === 1) return said[0]?.[side] ?? "";
  const named = said.filter((each) => each[side] !== "").map((each) => `${each.name}: ${each[side]}`);
  return cutText(named.join("\n\n"));
}

function describe({ field, before, after }: Difference, redact: (text: string) => string): Said {
  const texts = [wordsOf(before), wordsOf(after)] as const;
  const isInWords = texts[0] !== texts[1];
  const [old, now] = excerptsOf(isInWords ? texts : [jsonOf(before), jsonOf(after)], redact);
  return { name: nameOf(field, after ?? before), before: old, after: now };
}

const isMessage = (value: unknown): value is ChatMessage => isObject(value) && "role" in value;

/** What a person would call it. */
function nameOf(field: string, value: unknown): string {
  if (isMessage(value)) return `${value.role} message`;
  if (field === "tools" && isObject(value)) return `tool ${String(value["name"])}`;
  return field;
}

/** What a person would read of it. */
function wordsOf(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (isMessage(value)) return contentOf(value);
  if (isObject(value) && typeof value["description"] === "string") return value["description"];
  return jsonOf(value);
}

function contentOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}

const jsonOf = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value));

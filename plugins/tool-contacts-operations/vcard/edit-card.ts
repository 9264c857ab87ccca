import { lineEndOf, removeControlCharacters } from "@pergola/kit-dav";
import type { Fields } from "../parameters.ts";
import { isQuotedPrintable, isVersion21, linesOf, type Line } from "./lines.ts";

const properties = {
  email: "EMAIL",
  phone: "TEL",
  organization: "ORG",
  job_title: "TITLE",
  notes: "NOTE",
} as const;

/** Escapes a text that is a whole value (RFC 6350, section 3.4). */
const escapeText = (text: string): string =>
  removeControlCharacters(text).replace(/[\\,]/g, "\\$&").replaceAll("\n", "\\n");

/** Escapes a text that is one component of a structured value, such as N or ORG. */
const escapeComponent = (text: string): string => escapeText(text).replaceAll(";", "\\;");

const changedName = (text: string | undefined, current: string): string =>
  text === undefined ? current : escapeComponent(text);

function componentsOf(line: Line | undefined): readonly string[] {
  if (line === undefined || isQuotedPrintable(line.parameters)) return [];
  return line.value.split(/(?<!(?<!\\)(?:\\\\)*\\);/);
}

/** N and FN with new names. Middle names and titles before and after the name stay. */
function nameValues(lines: readonly Line[], fields: Fields): Readonly<Record<string, string>> {
  const { first_name: first, last_name: last } = fields;
  if (first === undefined && last === undefined) return {};
  const nameLine = lines.find(({ name }) => name === "N");
  const [oldLast = "", oldFirst = "", middle = "", before = "", after = ""] = componentsOf(nameLine);
  const newLast = changedName(last, oldLast);
  const newFirst = changedName(first, oldFirst);
  const fullName = [before, newFirst, middle, newLast, after].filter(Boolean).join(" ");
  const N = [newLast, newFirst, middle, before, after].join(";");
  if (fullName === "") return { N };
  return { N, FN: fullName.replaceAll("\\;", ";") };
}

/** The new escaped values by property name; "" removes the property. */
export function valuesOf(lines: readonly Line[], fields: Fields): Readonly<Record<string, string>> {
  const values: Record<string, string> = { ...nameValues(lines, fields) };
  for (const [field, name] of Object.entries(properties)) {
    const text = fields[field as keyof typeof properties];
    if (text === undefined) continue;
    values[name] = name === "ORG" ? escapeComponent(text) : escapeText(text);
  }
  return values;
}

const encodingParameter = /^(ENCODING=|CHARSET=|QUOTED-PRINTABLE$|VALUE=)/i;

/** The line with a new value, without parameters that described the old one. */
function withValue({ group, parameters }: Line, name: string, value: string, isOld: boolean): string {
  const head = [name, ...parameters.filter((parameter) => !encodingParameter.test(parameter))];
  if (isOld && /[^\p{ASCII}]/u.test(value)) head.push("CHARSET=UTF-8");
  const prefix = group && `${group}.`;
  return `${prefix}${head.join(";")}:${value}`;
}

const noLine: Line = { raw: "", group: "", name: "", parameters: [], value: "" };

/**
 * Gives the first property of each name its new value, keeping its parameters, and adds the properties that
 * the card lacks. Every other line stays as it is, byte for byte. `fold` folds a content line.
 */
export function editCard(
  card: string,
  values: Readonly<Record<string, string>>,
  fold: (line: string) => string,
): string {
  const end = lineEndOf(card);
  const lines = linesOf(card);
  const isOld = isVersion21(lines);
  const pending = new Map(Object.entries(values));
  const render = (line: Line, name: string, value: string): readonly string[] => {
    if (value === "") return [];
    return [fold(withValue(line, name, value, isOld)).replace(/\r?\n/g, end)];
  };
  const edited = lines.slice(0, -1).flatMap((line) => {
    const value = pending.get(line.name);
    if (value === undefined) return [line.raw];
    pending.delete(line.name);
    return render(line, line.name, value);
  });
  const added = [...pending].flatMap(([name, value]) => render(noLine, name, value));
  const last = lines.slice(-1).map(({ raw }) => raw);
  return [...edited, ...added, ...last].map((line) => line + end).join("");
}

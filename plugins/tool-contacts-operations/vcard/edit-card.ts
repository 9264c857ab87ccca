import { lineEnd } from "./blocks.ts";
import { isQuotedPrintable, linesOf, type Line } from "./lines.ts";

/** What a person may say of a contact; "" removes it, except for names. */
export interface Fields {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly organization?: string;
  readonly job_title?: string;
  readonly notes?: string;
}

const properties = {
  email: "EMAIL",
  phone: "TEL",
  organization: "ORG",
  job_title: "TITLE",
  notes: "NOTE",
} as const;

const clean = (text: string): string => text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "");

/** A text as a value. */
const escaped = (text: string): string => clean(text).replace(/[\\,]/g, "\\$&").replaceAll("\n", "\\n");

/** A text as a part of a value with parts. */
const escapedPart = (text: string): string => escaped(text).replaceAll(";", "\\;");

const partsOf = (line: Line | undefined): readonly string[] =>
  line === undefined || isQuotedPrintable(line.parameters)
    ? []
    : line.value.split(/(?<!(?<!\\)(?:\\\\)*\\);/);

/** N and FN with new names; middle names, titles before and after the name are kept. */
function nameValues(
  lines: readonly Line[],
  { first_name: first, last_name: last }: Fields,
): Readonly<Record<string, string>> {
  if (first === undefined && last === undefined) return {};
  const parts = partsOf(lines.find(({ name }) => name === "N"));
  const [oldLast = "", oldFirst = "", middle = "", before = "", after = ""] = parts;
  const [newLast, newFirst] = [
    last === undefined ? oldLast : escapedPart(last),
    first === undefined ? oldFirst : escapedPart(first),
  ];
  const shown = [before, newFirst, middle, newLast, after]
    .filter((part) => part !== "")
    .join(" ")
    .replaceAll("\\;", ";");
  return { N: [newLast, newFirst, middle, before, after].join(";"), ...(shown !== "" && { FN: shown }) };
}

/** The new escaped values by property name; "" = remove. */
export function valuesOf(lines: readonly Line[], fields: Fields): Readonly<Record<string, string>> {
  const plain = Object.entries(properties).flatMap(([field, name]) => {
    const text = fields[field as keyof typeof properties];
    return text === undefined ? [] : [[name, name === "ORG" ? escapedPart(text) : escaped(text)] as const];
  });
  return { ...nameValues(lines, fields), ...Object.fromEntries(plain) };
}

/** The line with a new value and the parameters that still hold. */
function withValue({ group, parameters }: Line, name: string, value: string, isOld: boolean): string {
  const kept = parameters.filter(
    (parameter) => !/^(ENCODING=|CHARSET=|QUOTED-PRINTABLE$|VALUE=)/i.test(parameter),
  );
  const charset = isOld && /[^\p{ASCII}]/u.test(value) ? ["CHARSET=UTF-8"] : [];
  return `${group && `${group}.`}${[name, ...kept, ...charset].join(";")}:${value}`;
}

const noLine: Line = { raw: "", group: "", name: "", parameters: [], value: "" };

/**
 * A card with new values for the first property of each name, which keeps its parameters; those it lacks are
 * added. Every other line stays as it is, byte for byte. `fold` folds a content line.
 */
export function editCard(
  card: string,
  values: Readonly<Record<string, string>>,
  fold: (line: string) => string,
): string {
  const end = lineEnd(card);
  const lines = linesOf(card);
  const isOld = lines.some(({ name, value }) => name === "VERSION" && value.trim() === "2.1");
  const left = new Map(Object.entries(values));
  const shown = (line: Line, name: string, value: string): readonly string[] =>
    value === "" ? [] : [fold(withValue(line, name, value, isOld)).replace(/\r?\n/g, end)];
  const kept = lines.flatMap((line, index) => {
    const { name, raw } = line;
    const value = left.get(name);
    if (index === lines.length - 1)
      return [...[...left].flatMap(([added, fresh]) => shown(noLine, added, fresh)), raw];
    if (value === undefined) return [raw];
    left.delete(name);
    return shown(line, name, value);
  });
  return kept.map((line) => line + end).join("");
}

/** Text from a calendar on one line, so that it can not pass for further entries. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();

/** A Markdown entry: a heading, and a line for each field that has a value. */
export function entry(title: string, fields: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(fields).flatMap(([name, value = ""]) =>
    value === "" ? [] : [`- ${name}: ${oneLine(value)}`],
  );
  return [`### ${oneLine(title) || "(no title)"}`, ...lines].join("\n");
}

export const shortened = (text: string, length = 300): string => {
  const flat = oneLine(text);
  return flat.length > length ? `${flat.slice(0, length)}…` : flat;
};

/** `1 event`, `3 events`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The text of a component's property. */
export const textOf = (component: { getFirstPropertyValue(name: string): unknown }, name: string): string => {
  const value = component.getFirstPropertyValue(name);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

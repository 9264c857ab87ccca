import type { Contact } from "../vcard/read-card.ts";

/** Text from a card on one line, so that it can not pass for further entries. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();

/** One contact in Markdown; what it lacks is left out. */
export function contactEntry({
  id,
  name,
  organization,
  title,
  emails,
  phones,
  addresses,
  birthday,
  notes,
  groups,
}: Contact): string {
  const fields = {
    Organization: organization,
    Title: title,
    Emails: emails.join("; "),
    Phones: phones.join("; "),
    Address: addresses.join("; "),
    Birthday: birthday,
    Groups: groups.join(", "),
    Notes: notes,
    ID: id,
  };
  const lines = Object.entries(fields).flatMap(([label, value]) =>
    oneLine(value) === "" ? [] : [`- ${label}: ${oneLine(value)}`],
  );
  return [`### ${oneLine(name) || "(no name)"}`, ...lines].join("\n");
}

/** `1 contact`, `3 contacts`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

import { countOf, type OperationResult } from "@pergola/sdk";
import type { Contact } from "../vcard/read-card.ts";
import { contactEntry } from "./contact-entry.ts";

/** The first `limit` contacts in Markdown, and a summary of what was found, left out and unreadable. */
export function contactsResult(
  contacts: readonly Contact[],
  limit: number,
  unreadable: number,
): OperationResult {
  const sentences = [`${countOf(contacts.length, "contact")}.`];
  if (contacts.length > limit)
    sentences.push(`The first ${limit} are shown: ask for something more specific.`);
  if (unreadable > 0) sentences.push(`${countOf(unreadable, "card")} could not be read.`);
  const data = contacts.slice(0, limit).map(contactEntry).join("\n\n");
  return { data: data || "No contacts.", message: sentences.join(" ") };
}

import type { OperationResult } from "@pergola/sdk";
import type { Contact } from "../vcard/read-card.ts";
import { contactEntry, counted } from "./contact-entry.ts";

/** The first contacts in Markdown, and a sentence on what is and what is not there. */
export function contactsResult(found: readonly Contact[], most: number, unreadable: number): OperationResult {
  const more = found.length > most ? ` The first ${most} are shown: ask for something more exact.` : "";
  const skipped = unreadable > 0 ? ` ${counted(unreadable, "card")} could not be read.` : "";
  const data = found.slice(0, most).map(contactEntry).join("\n\n");
  return { data: data || "No contacts.", message: `${counted(found.length, "contact")}.${more}${skipped}` };
}

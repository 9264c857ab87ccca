import { markdownEntry } from "@pergola/kit-dav";
import type { Contact } from "../vcard/read-card.ts";

/** One contact in Markdown, without the fields it lacks. */
export const contactEntry = (contact: Contact): string =>
  markdownEntry(contact.name.trim() || "(no name)", {
    Organization: contact.organization,
    Title: contact.title,
    Emails: contact.emails.join("; "),
    Phones: contact.phones.join("; "),
    Address: contact.addresses.join("; "),
    Birthday: contact.birthday,
    Groups: contact.groups.join(", "),
    Notes: contact.notes,
    ID: contact.id,
  });

import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { allContacts } from "../store/all-contacts.ts";
import { openStore } from "../store/open-store.ts";
import { contactsResult } from "../text/contacts-result.ts";
import type { Contact } from "../vcard/read-card.ts";

const most = 20;
const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const digits = (text: string): string => text.replace(/\D/g, "");

/**
 * Whether every word occurs in a contact, without regard to case and accents; a number is compared with
 * phones by its digits.
 */
function matcher(wanted: string): (contact: Contact) => boolean {
  const words = folded(wanted).split(/\s+/).filter(Boolean);
  const number = /^[\d\s+()/.-]{4,}$/.test(wanted) ? digits(wanted) : "";
  return ({ name, organization, title, emails, phones, addresses, birthday, notes, groups }) => {
    if (number.length >= 4 && phones.some((phone) => digits(phone).includes(number))) return true;
    const text = folded(
      [name, organization, title, birthday, notes, ...emails, ...phones, ...addresses, ...groups].join("\n"),
    );
    return words.every((word) => text.includes(word));
  };
}

export const search = defineOperation({
  name: "search",
  description: "Find contacts by name, organization, email, phone or notes.",
  effect: "read",
  parameters: { query: { type: "string", minLength: 1 } },
  required: ["query"],
  display: ({ query }) => card("Searching contacts", query, "users"),
  examples: [
    { say: "what is Anna Schmidt's phone number?", arguments: { query: "Anna Schmidt" } },
    { say: "who do I know at Acme?", arguments: { query: "Acme" } },
    { say: "look up Bob Jones in my contacts", arguments: { query: "Bob Jones" } },
    { say: "whose number is +49 170 1234567?", arguments: { query: "+49 170 1234567" } },
    { say: "what is the phone number of Anna Schmidt?", arguments: { query: "Anna Schmidt" } },
    { say: "find the address of Bob Jones", arguments: { query: "Bob Jones" } },
    { say: "what is the email address of Anna Schmidt?", arguments: { query: "Anna Schmidt" } },
    { say: "how do I reach Anna Schmidt?", arguments: { query: "Anna Schmidt" } },
  ],
  async run({ query }, context) {
    const { contacts, unreadable } = await allContacts(context, await openStore(context));
    return contactsResult(contacts.filter(matcher(query)), most, unreadable);
  },
});

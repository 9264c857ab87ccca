import { matchWords } from "@pergola/kit-dav";
import { defineOperation, toolDisplay } from "@pergola/sdk";
import { allContacts } from "../store/all-contacts.ts";
import { contactsResult } from "../text/contacts-result.ts";
import type { Contact } from "../vcard/read-card.ts";

const limit = 20;
const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** Matches contacts that contain every word of the query, or a phone number with the query's digits. */
function contactMatcher(query: string): (contact: Contact) => boolean {
  const hasWords = matchWords(query);
  const number = /^[\d\s+()/.-]{4,}$/.test(query) ? digitsOf(query) : "";
  return ({ name, organization, title, emails, phones, addresses, birthday, notes, groups }) => {
    if (number.length >= 4 && phones.some((phone) => digitsOf(phone).includes(number))) return true;
    return hasWords([name, organization, title, birthday, notes, emails, phones, addresses, groups].flat());
  };
}

export const search = defineOperation({
  name: "search",
  description: "Find contacts by name, organization, email, phone or notes.",
  effect: "read",
  parameters: { query: { type: "string", minLength: 1 } },
  required: ["query"],
  display: ({ query }) => toolDisplay("Search contacts", query, "users"),
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
    const { contacts, unreadable } = await allContacts(context);
    return contactsResult(contacts.filter(contactMatcher(query)), limit, unreadable);
  },
});

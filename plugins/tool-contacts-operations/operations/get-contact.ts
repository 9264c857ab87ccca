import { defineOperation, toolDisplay } from "@pergola/sdk";
import { contactId } from "../parameters.ts";
import { allContacts, noContact } from "../store/all-contacts.ts";
import { contactEntry } from "../text/contact-entry.ts";

export const getContact = defineOperation({
  name: "get_contact",
  description: "One contact by its ID.",
  effect: "read",
  parameters: { contact_id: contactId },
  required: ["contact_id"],
  display: (args) => toolDisplay("Read a contact", args.contact_id, "user"),
  examples: [{ say: "show me the contact with the ID 7f3a-12", arguments: { contact_id: "7f3a-12" } }],
  async run({ contact_id: id }, context) {
    const { contacts } = await allContacts(context);
    const found = contacts.find((contact) => contact.id === id);
    if (found === undefined) throw noContact(id);
    return { data: contactEntry(found) };
  },
});

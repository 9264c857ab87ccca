import { defineOperation, toolDisplay, ToolError } from "@pergola/sdk";
import { contactId, fields, firstName } from "../parameters.ts";
import { noContact, textWith } from "../store/all-contacts.ts";
import { openStore } from "../store/open-store.ts";
import { contactEntry } from "../text/contact-entry.ts";
import { blocksOf, replaceBlock } from "../vcard/blocks.ts";
import { idOf, readCard } from "../vcard/read-card.ts";
import { changedCard } from "../vcard/write-card.ts";

export const updateContact = defineOperation({
  name: "update_contact",
  description: 'Change fields of a contact; of several emails or phones, the first. "" removes a field.',
  effect: "write",
  place: "external",
  recovery: "repeat",
  parameters: { contact_id: contactId, first_name: firstName, ...fields },
  required: ["contact_id"],
  display: (args) => toolDisplay("Change a contact", args.contact_id, "user-pen"),
  examples: [
    {
      say: "change the email of the contact 7f3a-12 to anna@example.org",
      arguments: { contact_id: "7f3a-12", email: "anna@example.org" },
    },
    {
      say: "note for contact 7f3a-12: allergic to nuts",
      arguments: { contact_id: "7f3a-12", notes: "allergic to nuts" },
    },
    {
      say: "contact 7f3a-12 has a new phone: 555-0101",
      arguments: { contact_id: "7f3a-12", phone: "555-0101" },
    },
    {
      say: "add the note likes tea to the contact 7f3a-12",
      arguments: { contact_id: "7f3a-12", notes: "likes tea" },
    },
    {
      say: "change the last name of the contact 7f3a-12 to Meyer",
      arguments: { contact_id: "7f3a-12", last_name: "Meyer" },
    },
    {
      say: "set the phone of contact 7f3a-12 to 555-0102",
      arguments: { contact_id: "7f3a-12", phone: "555-0102" },
    },
    {
      say: "set the job title of the contact 7f3a-12 to Manager",
      arguments: { contact_id: "7f3a-12", job_title: "Manager" },
    },
    {
      say: "change the organization of the contact 7f3a-12 to Acme",
      arguments: { contact_id: "7f3a-12", organization: "Acme" },
    },
    {
      say: "change the phone number of contact 7f3a-12 to 555-0103",
      arguments: { contact_id: "7f3a-12", phone: "555-0103" },
    },
  ],
  async run({ contact_id: id, ...changes }, context) {
    if (Object.keys(changes).length === 0)
      throw new ToolError("insufficient_params", "The call changes no field.", {
        hint: 'Name at least one field, for example {"email": "anna@example.org"}.',
      });
    const store = await openStore(context);
    const stored = await textWith(store, id);
    if (stored === undefined) throw noContact(id);
    let entry = "";
    await store.change(stored, async (text) => {
      const block = blocksOf(text).find((one) => idOf(one.text) === id);
      if (block === undefined) throw noContact(id);
      const card = await changedCard(block.text, changes, context.clock.now());
      entry = contactEntry(await readCard(card));
      return replaceBlock(text, block, card);
    });
    return { data: entry, message: "Changed." };
  },
});

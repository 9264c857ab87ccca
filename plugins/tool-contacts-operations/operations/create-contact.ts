import { uidForCall } from "@pergola/kit-dav";
import { defineOperation, toolDisplay } from "@pergola/sdk";
import { fields, firstName } from "../parameters.ts";
import { textWith } from "../store/all-contacts.ts";
import { openStore } from "../store/open-store.ts";
import { contactEntry } from "../text/contact-entry.ts";
import { readCard } from "../vcard/read-card.ts";
import { newCard } from "../vcard/write-card.ts";

export const createContact = defineOperation({
  name: "create_contact",
  description: "Add a contact.",
  effect: "write",
  place: "external",
  recovery: "reconcile",
  parameters: { first_name: firstName, ...fields },
  required: ["first_name"],
  display: (args) =>
    toolDisplay("Add a contact", [args.first_name, args.last_name ?? ""].join(" ").trim(), "user-plus"),
  examples: [
    {
      say: "save Anna Schmidt with the email anna@example.com",
      arguments: { first_name: "Anna", last_name: "Schmidt", email: "anna@example.com" },
    },
    {
      say: "add a contact Bob with the phone number 555-0100",
      arguments: { first_name: "Bob", phone: "555-0100" },
    },
    {
      say: "create the contact Bob Jones with the phone 555-0100",
      arguments: { first_name: "Bob", last_name: "Jones", phone: "555-0100" },
    },
    { say: "save the number 555-0100 for Bob", arguments: { first_name: "Bob", phone: "555-0100" } },
  ],
  async run(args, context) {
    const uid = uidForCall(context);
    const text = await newCard(uid, args, context.clock.now());
    await (await openStore(context)).add(uid, text);
    return { data: contactEntry(await readCard(text)), message: "Added to the contacts." };
  },
  async reconcile(_args, context) {
    const stored = await textWith(await openStore(context), uidForCall(context));
    return stored === undefined ? "did_not_happen" : "happened";
  },
});

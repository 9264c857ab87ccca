import { has, phrase, type Phrase, silent } from "../../phrase.ts";

export const contacts: readonly Phrase[] = [
  phrase("what's the phone number of Maria Lopez?", "contacts_operations.search", { query: "Maria Lopez" }),
  phrase("what is John Miller's email address?", "contacts_operations.search", { query: has("John Miller") }),
  phrase("look up Lena Berg in my contacts", "contacts_operations.search", { query: "Lena Berg" }),
  phrase("find Thomas Meyer in my address book", "contacts_operations.search", {
    query: has("Thomas Meyer"),
  }),
  phrase("who do I know at Siemens", "contacts_operations.search", { query: "Siemens" }),
  phrase("whose phone number is 555-0199?", "contacts_operations.search", { query: has("555-0199") }),
  phrase("show the contact with the id 11aa-22", "get_contact", { contact_id: "11aa-22" }),
  phrase("open the contact with ID 9f00-1", "get_contact", { contact_id: "9f00-1" }),
  phrase("add a contact Lisa with the phone number 555-0123", "create_contact", {
    first_name: "Lisa",
    phone: "555-0123",
  }),
  phrase("save Paul Smith with the email paul@example.com", "create_contact", {
    first_name: "Paul",
    last_name: "Smith",
    email: "paul@example.com",
  }),
  phrase("which contact groups do I have?", "list_groups", {}),
  phrase("list my contact groups", "list_groups", {}),
  phrase("who is in the group Chess club?", "search_group", { group_name: has("Chess") }),
  phrase("who belongs to my group Friends", "search_group", { group_name: "Friends" }),
  silent("I met Anna yesterday"),
  silent("my phone is broken"),
  silent("forget all my contacts"),
  silent("change a contact"),
  phrase("contact 11aa-22 has a new phone: 555-0177", "update_contact", {
    contact_id: "11aa-22",
    phone: "555-0177",
  }),
  phrase("set the email of contact 9f00-1 to lena@example.org", "update_contact", {
    contact_id: "9f00-1",
    email: "lena@example.org",
  }),
  phrase("add the note prefers mornings to the contact 22bb-33", "update_contact", {
    contact_id: "22bb-33",
    notes: "prefers mornings",
  }),
  phrase("update the last name of contact 44cc-5 to Weber", "update_contact", {
    contact_id: "44cc-5",
    last_name: "Weber",
  }),
  silent("don't change the contact 11aa-22"),
  silent("should I save Paul's number?"),
  silent("how do I add a contact?"),
  silent("what if you deleted the contact 9f00-1?"),
];

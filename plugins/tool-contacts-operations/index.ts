import { definePlugin, defineTool } from "@pergola/sdk";
import { createContact } from "./operations/create-contact.ts";
import { getContact } from "./operations/get-contact.ts";
import { listGroups } from "./operations/list-groups.ts";
import { searchGroup } from "./operations/search-group.ts";
import { search } from "./operations/search.ts";
import { updateContact } from "./operations/update-contact.ts";

export const contactsOperations = defineTool({
  name: "contacts_operations",
  description: "The person's address book.",
  icon: "users",
  aliases: {
    search_contacts: "search",
    get_contact: "get_contact",
    create_contact: "create_contact",
    update_contact: "update_contact",
    list_groups: "list_groups",
    search_group: "search_group",
  },
  operations: [search, getContact, createContact, updateContact, listGroups, searchGroup],
});

export default definePlugin({
  tools: [contactsOperations],
});

import { defineOperation, toolDisplay, ToolError } from "@pergola/sdk";
import { allContacts } from "../store/all-contacts.ts";
import { groupKey, groupsOf } from "../store/groups.ts";
import { contactsResult } from "../text/contacts-result.ts";

const limit = 30;

export const searchGroup = defineOperation({
  name: "search_group",
  description: "The contacts in a group.",
  effect: "read",
  parameters: { group_name: { type: "string", minLength: 1 } },
  required: ["group_name"],
  display: (args) => toolDisplay("Look at a group of contacts", args.group_name, "users"),
  examples: [{ say: "who is in my group Family?", arguments: { group_name: "Family" } }],
  async run({ group_name: groupName }, context) {
    const { contacts, unreadable } = await allContacts(context);
    const groups = groupsOf(contacts);
    const group = groups.find(({ name }) => groupKey(name) === groupKey(groupName));
    if (group !== undefined) return contactsResult(group.contacts, limit, unreadable);
    const existing = groups.map(({ name }) => `"${name}"`).join(", ");
    throw new ToolError("not_found", `There is no group "${groupName}".`, {
      hint: (existing && `Existing: ${existing}.`) || "No contact is in a group.",
    });
  },
});

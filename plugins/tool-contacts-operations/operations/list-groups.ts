import { oneLine } from "@pergola/kit-dav";
import { countOf, defineOperation, toolDisplay } from "@pergola/sdk";
import { allContacts } from "../store/all-contacts.ts";
import { groupsOf } from "../store/groups.ts";

export const listGroups = defineOperation({
  name: "list_groups",
  description: "The groups of contacts.",
  effect: "read",
  parameters: {},
  display: () => toolDisplay("Look at the groups of contacts", "", "users"),
  examples: [{ say: "which groups are in my contacts?", arguments: {} }],
  async run(_args, context) {
    const { contacts } = await allContacts(context);
    const groups = groupsOf(contacts);
    const lines = groups.map(
      ({ name, contacts: members }) => `- ${oneLine(name)}: ${countOf(members.length, "contact")}`,
    );
    return {
      data: lines.join("\n") || "There are no groups.",
      message: `${countOf(groups.length, "group")}.`,
    };
  },
});

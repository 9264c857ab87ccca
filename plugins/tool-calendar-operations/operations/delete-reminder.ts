import { defineOperation, toolDisplay } from "@pergola/sdk";
import { withoutItem } from "../ics/remove.ts";
import { changeItem, lookForItem } from "../store/find-item.ts";
import { openStore } from "../store/open-store.ts";

export const deleteReminder = defineOperation({
  name: "delete_reminder",
  description: "Delete a reminder.",
  effect: "destructive",
  place: "external",
  recovery: "reconcile",
  parameters: { reminder_id: { type: "string", minLength: 1 } },
  required: ["reminder_id"],
  display: (args) => toolDisplay("Delete a reminder", args.reminder_id, "trash"),
  examples: [
    { say: "delete the reminder with ID 7f3a-12", arguments: { reminder_id: "7f3a-12" } },
    { say: "remove the reminder 7f3a-12", arguments: { reminder_id: "7f3a-12" } },
  ],
  async run({ reminder_id: id }, context) {
    const { text } = await changeItem(context, id, "VTODO", (current) => withoutItem(current, id, "VTODO"));
    return { data: `Deleted the reminder ${id} from the list "${text.calendar.name}".` };
  },
  async reconcile({ reminder_id: id }, context) {
    const found = await lookForItem(await openStore(context), id, "VTODO");
    return found === undefined ? "happened" : "did_not_happen";
  },
});

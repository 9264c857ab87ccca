import { countOf, defineOperation, toolDisplay } from "@pergola/sdk";
import { listName } from "../parameters.ts";
import { calendarsNamed } from "../store/choose-calendar.ts";
import { collectReminders, isClosed } from "../store/collect-reminders.ts";
import { openStore } from "../store/open-store.ts";
import { reminderEntry } from "../text/reminder-entry.ts";
import { userZone } from "../time/user-zone.ts";

export const listReminders = defineOperation({
  name: "list_reminders",
  description: "Reminders, the earliest due first.",
  effect: "read",
  parameters: { list_name: listName, include_completed: { type: "boolean", default: false } },
  display: ({ list_name: name = "" }) => toolDisplay("Look at the reminders", name, "list-checks"),
  examples: [
    { say: "what reminders do I have?", arguments: {} },
    { say: "show my Shopping list of reminders", arguments: { list_name: "Shopping" } },
    { say: "list all reminders, the completed ones too", arguments: { include_completed: true } },
    { say: "which reminders are open?", arguments: {} },
  ],
  async run({ list_name: name, include_completed: all }, context) {
    const store = await openStore(context);
    const zone = await userZone(context);
    const lists = await calendarsNamed(store, name, "VTODO");
    const { reminders, unreadable } = await collectReminders(context, store, lists, zone);
    const visible = reminders.filter(({ component }) => all || !isClosed(component));
    const sentences = [`${countOf(visible.length, "reminder")}, in the time zone ${zone.name}.`];
    if (unreadable > 0) sentences.push(`${countOf(unreadable, "reminder")} could not be read.`);
    const data = visible.map((reminder) => reminderEntry(reminder, zone)).join("\n\n");
    return { data: data || "No reminders.", message: sentences.join(" ") };
  },
});

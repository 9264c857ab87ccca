import { oneLine } from "@pergola/kit-dav";
import { countOf, defineOperation, toolDisplay } from "@pergola/sdk";
import { calendarsNamed } from "../store/choose-calendar.ts";
import { collectReminders, isClosed } from "../store/collect-reminders.ts";
import { openStore } from "../store/open-store.ts";
import { userZone } from "../time/user-zone.ts";

export const listReminderLists = defineOperation({
  name: "list_reminder_lists",
  description: "The reminder lists and how many open reminders each has.",
  effect: "read",
  parameters: {},
  display: () => toolDisplay("Look at the reminder lists", "", "list"),
  examples: [
    { say: "which reminder lists do I have?", arguments: {} },
    { say: "show the lists of my reminders", arguments: {} },
    { say: "what reminder lists are there?", arguments: {} },
    { say: "which lists of reminders exist?", arguments: {} },
    { say: "my reminder lists", arguments: {} },
  ],
  async run(_args, context) {
    const store = await openStore(context);
    const zone = await userZone(context);
    const lists = await calendarsNamed(store, undefined, "VTODO");
    const lines: string[] = [];
    for (const list of lists) {
      const { reminders } = await collectReminders(context, store, [list], zone);
      const open = reminders.filter(({ component }) => !isClosed(component)).length;
      lines.push(`- ${oneLine(list.name)}: ${open} open, ${reminders.length - open} completed`);
    }
    return {
      data: lines.join("\n") || "There are no reminder lists yet.",
      message: `${countOf(lists.length, "list")}.`,
    };
  },
});

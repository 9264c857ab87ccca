import { defineOperation, toolDisplay } from "@pergola/sdk";
import { withCompletion } from "../ics/complete.ts";
import { parseBlock } from "../ics/items.ts";
import { isClosed } from "../store/collect-reminders.ts";
import { changeItem, lookForItem } from "../store/find-item.ts";
import { openStore } from "../store/open-store.ts";
import { formatStamp } from "../time/format-time.ts";
import type { Stamp } from "../time/stamp.ts";
import { momentOf } from "../time/user-zone.ts";

export const completeReminder = defineOperation({
  name: "complete_reminder",
  description: "Mark a reminder as done; a repeating one moves on to its next date.",
  effect: "write",
  place: "external",
  recovery: "reconcile",
  parameters: { reminder_id: { type: "string", minLength: 1 } },
  required: ["reminder_id"],
  display: (args) => toolDisplay("Complete a reminder", args.reminder_id, "check"),
  examples: [
    { say: "mark the reminder 7f3a-12 as done", arguments: { reminder_id: "7f3a-12" } },
    { say: "the reminder 7f3a-12 is finished", arguments: { reminder_id: "7f3a-12" } },
    { say: "complete the reminder 7f3a-12", arguments: { reminder_id: "7f3a-12" } },
    { say: "set the reminder 7f3a-12 to done", arguments: { reminder_id: "7f3a-12" } },
    { say: "check off the reminder 7f3a-12", arguments: { reminder_id: "7f3a-12" } },
    { say: "I have done the reminder 7f3a-12", arguments: { reminder_id: "7f3a-12" } },
  ],
  async run({ reminder_id: id }, context) {
    const moment = await momentOf(context);
    let next = undefined as Stamp | undefined;
    await changeItem(context, id, "VTODO", async (text) => {
      const completion = await withCompletion(text, id, moment);
      next = completion?.next;
      return completion?.text;
    });
    const sentences = [`Completed the reminder ${id}.`];
    if (next !== undefined) sentences.push(`It is due again: ${formatStamp(next, moment.user)}.`);
    return { data: sentences.join(" ") };
  },
  /** Whether a repeating reminder has moved on cannot be seen without knowing its date before. */
  async reconcile({ reminder_id: id }, context) {
    const found = await lookForItem(await openStore(context), id, "VTODO");
    const [block] = found?.item.blocks ?? [];
    if (block === undefined) return "unknown";
    const component = await parseBlock(block);
    if (isClosed(component)) return "happened";
    return component.hasProperty("rrule") ? "unknown" : "did_not_happen";
  },
});

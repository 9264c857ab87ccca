import { defineOperation, toolDisplay } from "@pergola/sdk";
import { withoutEvent } from "../ics/remove.ts";
import { changeItem, lookForItem, type FoundItem } from "../store/find-item.ts";
import { openStore } from "../store/open-store.ts";
import { momentOf } from "../time/user-zone.ts";

function subjectOf({ item, recurrence }: FoundItem): string {
  if (recurrence !== undefined) return "this occurrence of the series";
  if (item.blocks.length > 1) return "the series";
  return "the event";
}

export const deleteEvent = defineOperation({
  name: "delete_event",
  description:
    "Delete an event. The ID of a repeating one deletes that occurrence; the part before its # deletes the " +
    "series.",
  effect: "destructive",
  place: "external",
  recovery: "reconcile",
  parameters: { event_id: { type: "string", minLength: 1 } },
  required: ["event_id"],
  display: (args) => toolDisplay("Delete an event", args.event_id, "calendar-x"),
  examples: [
    { say: "delete the event with ID 7f3a-11", arguments: { event_id: "7f3a-11" } },
    {
      say: "cancel the occurrence 7f3a-11#20260704T120000Z",
      arguments: { event_id: "7f3a-11#20260704T120000Z" },
    },
    { say: "remove the event 7f3a-11", arguments: { event_id: "7f3a-11" } },
    { say: "delete the calendar entry 7f3a-11", arguments: { event_id: "7f3a-11" } },
  ],
  async run({ event_id: id }, context) {
    const moment = await momentOf(context);
    const found = await changeItem(context, id, "VEVENT", (text, { item, recurrence }) =>
      withoutEvent(text, item.uid, recurrence, moment),
    );
    return { data: `Deleted ${subjectOf(found)} ${id} from the calendar "${found.text.calendar.name}".` };
  },
  async reconcile({ event_id: id }, context) {
    const found = await lookForItem(await openStore(context), id, "VEVENT");
    if (found === undefined) return "happened";
    const { text, item, recurrence } = found;
    const shorter = await withoutEvent(text.text, item.uid, recurrence, await momentOf(context));
    return shorter === undefined ? "happened" : "did_not_happen";
  },
});

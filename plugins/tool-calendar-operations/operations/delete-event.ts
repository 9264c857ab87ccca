import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { withoutItem, withoutOccurrence } from "../ics/remove.ts";
import { findItem, lookForItem, noItem } from "../store/find-item.ts";
import { openStore } from "../store/open-store.ts";
import { userZone } from "../time/user-zone.ts";

export const deleteEvent = defineOperation({
  name: "delete_event",
  description:
    "Delete an event. The ID of a repeating one deletes that occurrence; what stands before its # deletes the series.",
  effect: "destructive",
  place: "external",
  recovery: "reconcile",
  parameters: { event_id: { type: "string", minLength: 1 } },
  required: ["event_id"],
  display: (args) => card("Deleting an event", args.event_id, "calendar-x"),
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
    const store = await openStore(context);
    const [user, now] = [await userZone(context), context.clock.now()];
    const { text, item, recurrence } = await findItem(store, id, "VEVENT");
    await store.change(text, async (current) => {
      const shorter =
        recurrence === undefined
          ? withoutItem(current, item.uid, "VEVENT")
          : await withoutOccurrence(current, item.uid, recurrence, { user, now });
      if (shorter === undefined) throw noItem(id, "VEVENT");
      return shorter;
    });
    const what =
      recurrence === undefined
        ? item.blocks.length > 1
          ? "the series"
          : "the event"
        : "this occurrence of the series";
    return { data: `Deleted ${what} ${id} from the calendar "${text.calendar.name}".` };
  },
  async reconcile({ event_id: id }, context) {
    const found = await lookForItem(await openStore(context), id, "VEVENT");
    if (found === undefined) return "happened";
    if (found.recurrence === undefined) return "did_not_happen";
    const scene = { user: await userZone(context), now: context.clock.now() };
    const shorter = await withoutOccurrence(found.text.text, found.item.uid, found.recurrence, scene);
    return shorter === undefined ? "happened" : "did_not_happen";
  },
});

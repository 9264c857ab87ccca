import { defineOperation, toolDisplay } from "@pergola/sdk";
import { withoutItem, withoutOccurrence } from "../ics/remove.ts";
import { findItem, lookForItem, noItem, type FoundItem } from "../store/find-item.ts";
import { openStore } from "../store/open-store.ts";
import { userZone } from "../time/user-zone.ts";
import type { Zone } from "../time/zone.ts";

async function remove(
  text: string,
  uid: string,
  recurrence: string | undefined,
  scene: { readonly user: Zone; readonly now: number },
): Promise<string | undefined> {
  if (recurrence === undefined) return withoutItem(text, uid, "VEVENT");
  return withoutOccurrence(text, uid, recurrence, scene);
}

function subjectOf({ item, recurrence }: FoundItem): string {
  if (recurrence !== undefined) return "this occurrence of the series";
  return item.blocks.length > 1 ? "the series" : "the event";
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
  display: (args) => toolDisplay("Deleting an event", args.event_id, "calendar-x"),
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
    const found = await findItem(store, id, "VEVENT");
    const { text, item, recurrence } = found;
    await store.change(text, async (current) => {
      const shorter = await remove(current, item.uid, recurrence, { user, now });
      if (shorter === undefined) throw noItem(id, "VEVENT");
      return shorter;
    });
    return { data: `Deleted ${subjectOf(found)} ${id} from the calendar "${text.calendar.name}".` };
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

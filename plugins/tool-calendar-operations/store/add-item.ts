import { uidForCall } from "@pergola/kit-dav";
import type { ToolContext } from "@pergola/sdk";
import { parseBlock, type Kind } from "../ics/items.ts";
import { componentText, type NewComponent } from "../ics/write-component.ts";
import { calendarFor } from "./choose-calendar.ts";
import { lookForItem } from "./find-item.ts";
import { openStore } from "./open-store.ts";

/** Adds an event or a reminder to the calendar with that name, or to the usual one. */
export async function addItem(
  context: ToolContext,
  kind: Kind,
  calendarName: string | undefined,
  content: Pick<NewComponent, "texts" | "lines">,
) {
  const store = await openStore(context);
  const calendar = await calendarFor(store, calendarName, kind);
  const uid = uidForCall(context);
  const text = await componentText(kind, { uid, now: context.clock.now(), ...content });
  await store.add(calendar, uid, text);
  return { uid, calendar: calendar.name, component: await parseBlock({ text }) };
}

/** Whether a call has added its event or reminder. */
export async function wasAdded(context: ToolContext, kind: Kind) {
  const found = await lookForItem(await openStore(context), uidForCall(context), kind);
  return found === undefined ? "did_not_happen" : "happened";
}

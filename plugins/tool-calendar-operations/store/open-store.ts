import { davAccount } from "@pergola/kit-dav";
import { stringOf, type ToolContext } from "@pergola/sdk";
import { CaldavStore } from "./caldav-store.ts";
import type { CalendarStore } from "./calendar-store.ts";
import { FolderStore } from "./folder-store.ts";

/** Opens the account if one is set, else the folder. */
export async function openStore(context: ToolContext): Promise<CalendarStore> {
  const account = await davAccount(context, "tools.calendar.caldav");
  if (account !== undefined) return new CaldavStore(context, account);
  return new FolderStore(context.files, stringOf(context.settings["tools.calendar.path"]));
}

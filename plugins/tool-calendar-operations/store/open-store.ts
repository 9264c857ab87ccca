import type { ToolContext, TouchedPath } from "@pergola/sdk";
import { accountOf, hostPreference } from "./account.ts";
import { CaldavStore } from "./caldav-store.ts";
import type { CalendarStore } from "./calendar-store.ts";
import { FolderStore } from "./folder-store.ts";

const accountKey = "tools.calendar.caldav";
const folderKey = "tools.calendar.path";

/** The account when the preferences name one, else the folder. */
export async function openStore(context: ToolContext): Promise<CalendarStore> {
  const account = await accountOf(context, accountKey);
  if (account !== undefined) return new CaldavStore(context, account);
  const folder = await context.preference(folderKey);
  return new FolderStore(context.files, typeof folder === "string" ? folder : "");
}

/** The folder, for calls that do not name it; none where an account is used. */
export const folderTouched = (effect: TouchedPath["effect"]) => (): readonly TouchedPath[] => {
  const folder = hostPreference(folderKey);
  return typeof folder === "string" && hostPreference(accountKey) === null ? [{ path: folder, effect }] : [];
};

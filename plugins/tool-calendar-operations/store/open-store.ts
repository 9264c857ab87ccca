import type { ToolContext } from "@pergola/sdk";
import { accountOf } from "./account.ts";
import { CaldavStore } from "./caldav-store.ts";
import type { CalendarStore } from "./calendar-store.ts";
import { FolderStore } from "./folder-store.ts";

const accountKey = "tools.calendar.caldav";
const folderKey = "tools.calendar.path";

/** The account when the settings name one, else the folder. */
export async function openStore(context: ToolContext): Promise<CalendarStore> {
  const account = await accountOf(context, accountKey);
  if (account !== undefined) return new CaldavStore(context, account);
  const folder = context.settings[folderKey];
  return new FolderStore(context.files, typeof folder === "string" ? folder : "");
}

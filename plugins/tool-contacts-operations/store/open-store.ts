import type { ToolContext, TouchedPath } from "@pergola/sdk";
import { accountOf, hostPreference } from "./account.ts";
import { CarddavStore } from "./carddav-store.ts";
import type { ContactStore } from "./contact-store.ts";
import { FolderStore } from "./folder-store.ts";

const accountKey = "tools.contacts.carddav";
const folderKey = "tools.contacts.path";

/** The account when the preferences name one, else the folder. */
export async function openStore(context: ToolContext): Promise<ContactStore> {
  const account = await accountOf(context, accountKey);
  if (account !== undefined) return new CarddavStore(context, account);
  const folder = await context.preference(folderKey);
  return new FolderStore(context.files, typeof folder === "string" ? folder : "");
}

/** The folder, for calls that do not name it; none where an account is used. */
export const folderTouched = (effect: TouchedPath["effect"]) => (): readonly TouchedPath[] => {
  const folder = hostPreference(folderKey);
  return typeof folder === "string" && hostPreference(accountKey) === null ? [{ path: folder, effect }] : [];
};

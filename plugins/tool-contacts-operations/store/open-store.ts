import type { ToolContext } from "@pergola/sdk";
import { accountOf } from "./account.ts";
import { CarddavStore } from "./carddav-store.ts";
import type { ContactStore } from "./contact-store.ts";
import { FolderStore } from "./folder-store.ts";

const accountKey = "tools.contacts.carddav";
const folderKey = "tools.contacts.path";

/** The account when the settings name one, else the folder. */
export async function openStore(context: ToolContext): Promise<ContactStore> {
  const account = await accountOf(context, accountKey);
  if (account !== undefined) return new CarddavStore(context, account);
  const folder = context.settings[folderKey];
  return new FolderStore(context.files, typeof folder === "string" ? folder : "");
}

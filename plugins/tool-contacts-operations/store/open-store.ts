import { davAccount } from "@pergola/kit-dav";
import { stringOf, type ToolContext } from "@pergola/sdk";
import { CarddavStore } from "./carddav-store.ts";
import type { ContactStore } from "./contact-store.ts";
import { FolderStore } from "./folder-store.ts";

/** Opens the account if one is set, else the folder. */
export async function openStore(context: ToolContext): Promise<ContactStore> {
  const account = await davAccount(context, "tools.contacts.carddav");
  if (account !== undefined) return new CarddavStore(context, account);
  return new FolderStore(context.files, stringOf(context.settings["tools.contacts.path"]));
}

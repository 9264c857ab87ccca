import { isObject, stringOf, type Json } from "@pergola/sdk";
import type { TestSetup } from "@pergola/sdk/testing";

type Settings = Readonly<Record<string, Json>>;

/** The settings that name an account and, instead of it, a folder. */
export interface AccountKeys {
  readonly account: string;
  readonly folder: string;
}

/**
 * The part of a test context that a host derives from a plugin's settings: the account's password becomes a
 * secret, and the folder and the account's server are within reach.
 */
export function accountSetup(
  all: Settings,
  keys: AccountKeys,
): Required<Pick<TestSetup, "secrets" | "configured">> & { readonly settings: Settings } {
  const account = all[keys.account];
  const folders = [stringOf(all[keys.folder])];
  if (!isObject(account)) return { settings: all, secrets: {}, configured: { folders, origins: [] } };
  const { password, ...visible } = account;
  return {
    settings: { ...all, [keys.account]: visible },
    secrets: { [`${keys.account}.password`]: stringOf(password) },
    configured: { folders, origins: [new URL(stringOf(account["url"])).origin] },
  };
}

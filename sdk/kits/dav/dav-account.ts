import type { ToolContext } from "@pergola/sdk";

/** A CalDAV or CardDAV account. */
export interface DavAccount {
  /** Address of the server, or of the account on it. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/**
 * Reads the account from the setting `key` (`url` and `user`) and its password from the secret
 * `<key>.password`. Returns undefined if no account is set.
 */
export async function davAccount(
  context: Pick<ToolContext, "settings" | "secret">,
  key: string,
): Promise<DavAccount | undefined> {
  const { url = "", user = "" } = (context.settings[key] ?? {}) as Partial<DavAccount>;
  if (url === "") return undefined;
  const password = (await context.secret(`${key}.password`)) ?? "";
  return { url, user, password };
}

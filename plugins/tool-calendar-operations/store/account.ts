import type { ToolContext } from "@pergola/sdk";

export interface Account {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** The account that the settings name under a key; undefined where none is set. */
export async function accountOf(
  context: Pick<ToolContext, "settings" | "secret">,
  key: string,
): Promise<Account | undefined> {
  const { url = "", user = "" } = (context.settings[key] ?? {}) as Partial<Account>;
  return url === "" ? undefined : { url, user, password: (await context.secret(`${key}.password`)) ?? "" };
}

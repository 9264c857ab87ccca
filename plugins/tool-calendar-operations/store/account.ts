import type { PreferenceService, ToolContext } from "@pergola/sdk";

export interface Account {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** A call's context gives secrets only as texts, and none before the policy has decided: both are asked of the host that runs the plugin. */
const host: { preferences: Pick<PreferenceService, "get"> | undefined } = { preferences: undefined };

/** From now on, or with undefined no longer, the host's preferences tell the account and the folder. */
export function followPreferences(preferences: Pick<PreferenceService, "get"> | undefined): void {
  host.preferences = preferences;
}

/** What the host says of a preference; undefined outside a host. */
export const hostPreference = (key: string): unknown => host.preferences?.get(key);

/** The account that a preference names; undefined where none is set. */
export async function accountOf(context: ToolContext, key: string): Promise<Account | undefined> {
  const held = host.preferences === undefined ? await context.preference(key) : hostPreference(key);
  const { url = "", user = "", password = "" } = (held ?? {}) as Partial<Account>;
  return url === "" ? undefined : { url, user, password };
}

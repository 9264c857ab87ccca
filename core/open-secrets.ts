import type { Log } from "@pergola/sdk";
import type { SecretKeeper } from "@pergola/sdk/host";
import type { HostOptions } from "./host.ts";
import type { Lifecycle } from "./plugins/lifecycle.ts";
import { openKeeper, storeIn } from "./plugins/open-keeper.ts";
import type { Preferences } from "./settings/preferences.ts";
import { storageIn, type SettingsSource } from "./settings/read-settings.ts";

/**
 * Loads the plugins, and reads the settings again with the secrets that one of them keeps. The keeper, and
 * what they are read with: secrets stand for the variables whose names they have, where these are not set.
 */
export async function openSecrets(
  lifecycle: Lifecycle,
  table: Preferences,
  source: SettingsSource,
  { log, ...where }: HostOptions & { readonly log: Log },
): Promise<SettingsSource & { readonly keeper: SecretKeeper | undefined }> {
  await lifecycle.load();
  const { stored, environment } = source.reader;
  const make = lifecycle.registry.part("secrets")?.make;
  const keeper = await openKeeper(make, source.reader, { ...where, store: storeIn(table) });
  const variables = await stored.open(keeper, (message) => log.warn({}, message));
  const reader = { ...source.reader, environment: { ...variables, ...environment } };
  table.readAgain(reader);
  return { ...source, reader, storage: storageIn(source, reader), keeper };
}

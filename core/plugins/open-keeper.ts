import type { Json } from "@pergola/sdk";
import {
  configurationFolder,
  type PartFactories,
  type SecretHost,
  type SecretKeeper,
  type Surroundings,
} from "@pergola/sdk/host";
import { Preferences } from "../settings/preferences.ts";
import type { SettingsSource } from "../settings/read-settings.ts";
import type { Reader } from "../settings/read-value.ts";
import { discoverPlugins } from "./discover.ts";
import { loadFound } from "./trusted-plugins.ts";

interface Where extends Surroundings {
  /** The preference secrets.store, undefined where no plugin declares it. */
  readonly store?: Json | undefined;
}

/** Opens the part that keeps secrets; undefined without a plugin that brings it. */
export async function openKeeper(
  make: PartFactories["secrets"],
  { installed, environment }: Reader,
  { store = "auto", ...where }: Where,
): Promise<SecretKeeper | undefined> {
  return make?.({
    dataDirectory: installed,
    configurationDirectory: configurationFolder(where),
    credentialsDirectory: environment["CREDENTIALS_DIRECTORY"],
    store: store as SecretHost["store"],
  });
}

/** The same without a host: of all plugins only the one that brings the part is loaded. */
export async function openKeeperAlone(
  source: SettingsSource,
  where: Surroundings = {},
): Promise<SecretKeeper | undefined> {
  const { plugins, all } = discoverPlugins(source);
  const found = plugins.find(({ provides }) => provides.parts?.includes("secrets"));
  if (found?.tier !== "trusted") return undefined;
  const reader = { ...source.reader, secretsMayMiss: true };
  const table = new Preferences(
    { ...source, reader },
    all.map(({ settings }) => settings),
    true,
  );
  const { parts } = await loadFound(found);
  return openKeeper(parts?.secrets, reader, { ...where, store: storeIn(table) });
}

/** Where new secrets are to be put. */
export const storeIn = (table: Preferences): Json | undefined => table.valueOf("secrets.store");

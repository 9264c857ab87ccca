import { existsSync } from "node:fs";
import path from "node:path";
import type { PluginHost, ToolContext } from "@pergola/sdk";
import type { IndexSettings } from "./messages.ts";

type Values = ToolContext["settings"];
const own = (values: Values, name: string) => values[`tools.system_search.${name}`];
const credentialStores = "authorization.protected_paths";

const settingsFrom = (values: Values, stores: readonly string[]): IndexSettings => {
  const folder = own(values, "index_path") as string;
  return {
    folder,
    roots: own(values, "roots") as readonly string[],
    closed: [folder, ...(own(values, "excluded") as readonly string[]), ...stores],
  };
};

/** What a call's index is made from. */
export const settingsOf = async (context: ToolContext): Promise<IndexSettings> =>
  settingsFrom(context.settings, ((await context.preference(credentialStores)) ?? []) as readonly string[]);

/** The same at start, and nothing when no index was made before. */
export function existingSettings({ settings, services }: PluginHost): IndexSettings | undefined {
  const stores = services.preferences.list().find(({ key }) => key === credentialStores)?.value as
    readonly string[] | undefined;
  const found = settingsFrom(settings, stores ?? []);
  return existsSync(path.join(found.folder, "index.sqlite")) ? found : undefined;
}

/** Whether the platform's indexer is asked first. */
export const prefersPlatform = ({ settings }: ToolContext): boolean =>
  own(settings, "indexer") === "platform";

import path from "node:path";
import type { Json, Services } from "@pergola/sdk";
import { memoryCollection, temporaryFolder, testClock } from "@pergola/sdk/testing";
import { discoverPlugins, type Discovery } from "../../../core/plugins/discover.ts";
import { Lifecycle } from "../../../core/plugins/lifecycle.ts";
import type { LifecycleOptions } from "../../../core/plugins/lifecycle-options.ts";
import { openSupply } from "../../../core/plugins/open-supply.ts";
import { Preferences } from "../../../core/settings/preferences.ts";
import { readSettings, type SettingsSource } from "../../../core/settings/read-settings.ts";
import { recordingLog } from "../recording-log.ts";
import { writeFileSync } from "node:fs";

/** Not one of the parts of the host, which are always there. */
export const isChosen = ({ id }: { readonly id: string }): boolean =>
  !/^(bundle-host|bridge-machine|(service|feature)-.*)$/.test(id);

/** A settings file with plugins beside it, and the life cycle on top. Stop what was loaded with `stop`. */
export function pluginScene() {
  const folder = temporaryFolder("pergola-plugins-");
  const log = recordingLog();
  const lifecycles: Lifecycle[] = [];
  const source = (settings: Record<string, Json>): Promise<SettingsSource> => {
    const file = path.join(folder, "pergola.config.json");
    writeFileSync(file, JSON.stringify(settings));
    return readSettings({ file, cwd: folder, home: folder, environment: {} });
  };
  const lifecycle = (
    from: SettingsSource,
    discovery: Discovery,
    deadlines: LifecycleOptions["deadlines"] = {},
  ): Lifecycle => {
    const preferences = new Preferences(
      from,
      discovery.all.map(({ settings }) => settings),
      discovery.faults.length > 0,
    );
    const made = new Lifecycle({
      discovery,
      preferences,
      log,
      clock: testClock(),
      dataDirectory: from.reader.dataDirectory,
      supply: openSupply(from, { unpinned: "all" }),
      redact: (text) => text,
      deadlines,
    });
    lifecycles.push(made);
    return made;
  };
  return {
    folder,
    log,
    source,
    /** Without the parts of the host. */
    discover: async (chosen: Json, more: Record<string, Json> = {}): Promise<Discovery> => {
      const { all, plugins, ...rest } = discoverPlugins(await source({ plugins: chosen, ...more }));
      return { all: all.filter(isChosen), plugins: plugins.filter(isChosen), ...rest };
    },
    /** Trusted unless an entry says otherwise; loaded and started. */
    async run(
      plugins: readonly (string | Record<string, Json>)[],
      deadlines: LifecycleOptions["deadlines"] = {},
      more: Record<string, Json> = {},
    ): Promise<Lifecycle> {
      const entries = plugins.map((entry) =>
        typeof entry === "string" ? { use: entry, isolation: "trusted" } : entry,
      );
      const from = await source({ plugins: entries, ...more });
      const made = lifecycle(from, discoverPlugins(from), deadlines);
      await made.load();
      await made.collect();
      await made.start({
        services: { system: { version: "test" } } as unknown as Services,
        collection: () => memoryCollection(),
      });
      return made;
    },
    async stop(): Promise<void> {
      for (const made of lifecycles.splice(0)) await made.stop();
    },
  };
}

export type PluginScene = ReturnType<typeof pluginScene>;

/** Where a plugin stands: `running`, or why not. */
export const stateOf = (lifecycle: Lifecycle, id: string): string => {
  const status = lifecycle.status().find((each) => each.id === id);
  return status === undefined ? "unknown" : (status.fault ?? status.state);
};

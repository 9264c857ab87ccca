import type { JsonObject, PluginStatus } from "@pergola/sdk";
import { startTestHost, type TestHost } from "../host-in-test.ts";
import { playKit } from "./kit-chat.ts";
import { mockProviderServer, type MockProviderServer } from "../mock-provider-server.ts";

/** A plugin as the settings name it, and what else its host is started with. */
export interface PluginUnderTest {
  /** The plugin's id: the name of its package, for plugins that are not official. */
  readonly id: string;
  /** A package, a folder, or `{ use, isolation }`, as under `plugins` in the settings; it must be built. */
  readonly plugin: string | JsonObject;
  /** Further settings of the host. */
  readonly settings?: JsonObject;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A real host with the standard bundle and one plugin; its model is scripted. */
export interface KitHost {
  readonly host: TestHost;
  readonly model: MockProviderServer;
  close(): Promise<void>;
}

/** Starts the host of a kit. Plugins that are not official run in their own process unless told otherwise. */
export async function openKitHost({
  plugin,
  settings = {},
  environment = {},
}: PluginUnderTest): Promise<KitHost> {
  const model = await mockProviderServer(playKit);
  const starting = startTestHost({
    plugins: ["@pergola/bundle-standard", plugin],
    environment,
    settings: {
      // So that the kits run where there is no sandbox, too.
      "plugins.require_sandbox": false,
      default_model: "custom/test",
      "memory.embedding_model": "",
      "providers.list": [{ type: "custom", base_url: model.baseUrl, retry_count: 0 }],
      "models.overrides": { "custom/test": { supportsTools: true, contextWindow: 1_000_000 } },
      ...settings,
    },
  });
  const host = await starting.catch(async (error: unknown) => {
    await model.close();
    throw error;
  });
  return {
    host,
    model,
    close: async () => {
      await host.stop();
      await model.close();
    },
  };
}

/** The state of a plugin. Throws when the host has left it out, with its fault. */
export function statusOf(host: TestHost, id: string): PluginStatus {
  const all = host.services.system.plugins();
  const status = all.find((one) => one.id === id) ?? all.find(({ folder }) => folder.endsWith(id));
  if (status === undefined) throw new Error(`The host has no plugin ${id}.`);
  if (status.state !== "running") throw new Error(`The plugin is ${status.state}: ${status.fault ?? ""}`);
  return status;
}

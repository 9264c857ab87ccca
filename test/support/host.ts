import path from "node:path";
import {
  chatReply,
  mockProviderServer,
  startTestHost,
  type MockProviderServer,
  type MockScript,
  type TestHost,
  type TestHostOptions,
} from "@pergola/sdk/testing";
import type { JsonObject } from "@pergola/sdk";
import { canary, lookInFiles } from "./canary.ts";
import { pluginFolders, root } from "../architecture/tree.ts";
import { chosenStorage } from "./chosen-storage.ts";

export interface Stage {
  readonly host: TestHost;
  /** The model: what it is asked stands in `requests`, what it answers is scripted. */
  readonly provider: MockProviderServer;
  end(): Promise<void>;
}

/** Every official plugin but the embedded models, in the host's process. */
export const officialPlugins = (
  except: readonly string[] = ["bundle-standard", "provider-embedded", "provider-scripted"],
) =>
  pluginFolders()
    .filter((id) => !except.includes(id))
    .map((id) => ({ use: path.join(root, "plugins", id), isolation: "trusted" }));

/**
 * A real host with all plugins, its only model a scripted provider on loopback: `custom/test`, the default
 * model.
 */
export async function openStage(
  script: MockScript = chatReply({ text: "Hello." }),
  { settings = {}, environment = {}, ...options }: TestHostOptions = {},
): Promise<Stage> {
  const provider = await mockProviderServer(script);
  const { storage = { type: "memory" } } = settings;
  const host = await startTestHost({
    plugins: officialPlugins(),
    ...options,
    environment: { [canary.variable]: canary.value, ...environment },
    settings: {
      default_model: "custom/test",
      "memory.embedding_model": "",
      "providers.list": [
        { type: "custom", base_url: provider.baseUrl, retry_count: 0, api_key: { env: canary.variable } },
      ],
      "models.overrides": { "custom/test": { supportsTools: true } },
      ...settings,
      storage: await chosenStorage(storage as JsonObject, options.dataDirectory),
    },
  });
  return {
    host,
    provider,
    end: async () => {
      lookInFiles(host.dataDirectory);
      await host.stop();
      await provider.close();
    },
  };
}

/** The body of a chat request with one user message. */
export const ask = (content: string, more: object = {}) => ({
  model: "default",
  messages: [{ role: "user", content }],
  ...more,
});

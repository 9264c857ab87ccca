import type { JsonObject } from "@pergola/sdk";
import { mockProviderServer, startTestHost, toolContext } from "@pergola/sdk/testing";
import { playKit } from "../../../sdk/testing/conformance/kit-chat.ts";
import type { KitHost } from "../../../sdk/testing/conformance/kit-host.ts";

const official = [
  "provider-chat-completions",
  "endpoint-chat",
  "endpoint-conversations",
  "endpoint-models",
  "policy-authorization",
  "policy-prompt",
  "storage-memory",
  "tool-think",
  "tool-read-tool-result",
];

/** The host of a kit with fewer plugins, which starts faster, and with several under test at once. */
export async function openSmallHost(plugins: readonly JsonObject[]): Promise<KitHost> {
  const model = await mockProviderServer(playKit);
  const host = await startTestHost({
    plugins: [...official.map((name) => `@pergola/${name}`), ...plugins],
    log: toolContext().log,
    settings: {
      storage: { type: "memory" },
      "plugins.require_sandbox": false,
      default_model: "custom/test",
      "memory.embedding_model": "",
      "providers.list": [{ type: "custom", base_url: model.baseUrl, retry_count: 0 }],
      "models.overrides": { "custom/test": { supportsTools: true, contextWindow: 1_000_000 } },
    },
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

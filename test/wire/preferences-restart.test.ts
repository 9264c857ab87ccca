import path from "node:path";
import type { TestHost, TestHostOptions } from "@pergola/sdk/testing";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { root } from "../architecture/tree.ts";
import { officialPlugins } from "../support/host.ts";
import { openPlain, patch, shown } from "../support/preference-stage.ts";
import { recordingLog } from "../support/recording-log.ts";
import { verifies } from "../support/verifies.ts";

describe("preferences, over time", () => {
  const open: TestHost[] = [];
  afterEach(async () => {
    for (const host of open.splice(0)) await host.stop();
  });
  const start = async (options: TestHostOptions = {}): Promise<TestHost> => {
    const host = await openPlain(options);
    open.push(host);
    return host;
  };
  const durable = (options: TestHostOptions = {}): Promise<TestHost> =>
    start({ ...options, settings: { storage: { type: "sqlite" }, ...options.settings } });

  verifies("preferences:patch", "survive a restart, and null takes them back for good", async () => {
    const host = await durable();
    const values = {
      "user.name": "Ada",
      "tools.disabled": ["think"],
      "models.prices": { "a/b": { prompt: 1, completion: 2 } },
    };
    await patch(host, values);
    await host.restart();
    expect((await shown(host)).preferences).to.deep.include(values);
    await patch(host, { "user.name": null, "models.prices": null });
    await host.restart();
    expect((await shown(host)).preferences).to.deep.include({
      "user.name": "",
      "tools.disabled": ["think"],
      "models.prices": {},
    });
  });

  verifies("preferences:secrets", "that cannot be fetched are named by their variable", async () => {
    const host = await start();
    const { status, body } = await patch(host, { "tools.image.api_key": { env: "NO_SUCH_VARIABLE" } });
    expect([status, body.error?.code]).to.deep.equal([400, "invalid_value"]);
    expect(body.error?.message).to.equal("tools.image.api_key: the variable NO_SUCH_VARIABLE is not set.");
  });

  verifies("preferences:restart", "that need a restart are named until it has come", async () => {
    const host = await durable();
    const change = {
      "server.port": 9999,
      "server.host": "127.0.0.1",
      "mcp.connect_seconds": 3,
      "user.name": "Ada",
    };
    const { body } = await patch(host, change);
    expect(body.restartRequired).to.have.members(["server.port", "server.host", "mcp.connect_seconds"]);
    expect((await patch(host, { "server.port": 8080 })).body.restartRequired).to.deep.equal([]);
    await patch(host, { "server.port": 9999 });
    await host.restart();
    expect(host.services.preferences.get("server.port")).to.equal(9999);
    expect((await patch(host, { "server.port": 9999 })).body.restartRequired).to.deep.equal([]);
    expect((await patch(host, { "server.port": null })).body.restartRequired).to.deep.equal(["server.port"]);
  });

  verifies("preferences:restart", "bring the tools of an MCP server that was stored", async () => {
    const host = await durable();
    const server = path.join(root, "plugins", "bridge-mcp-client", "test", "servers", "sample-server.mjs");
    const { body } = await patch(host, {
      "mcp.servers": { sample: { command: process.execPath, args: [server] } },
    });
    expect(body.restartRequired).to.deep.equal(["mcp.servers"]);
    const names = async () =>
      (await host.json<{ tools: { name: string }[] }>("GET", "/api/tools")).body.tools.map(
        ({ name }) => name,
      );
    expect(await names()).to.not.include("mcp_sample");
    await host.restart();
    expect(await names()).to.include("mcp_sample");
  });

  verifies(
    "preferences:spellings",
    "are taken in older spellings, in other case forms, nested and wrapped",
    async () => {
      const host = await start();
      for (const [body, key, value] of [
        [{ "tools.disabledBuiltinTools": ["think"] }, "tools.disabled", ["think"]],
        [{ serverProxyMode: true }, "server.bypass_mode", true],
        [{ apiServerPort: 9000 }, "server.port", 9000],
        [{ apiServerAllowRemoteAccess: false }, "server.allow_remote", false],
        [{ authorizationExpiryDuration: "1h" }, "authorization.grant_duration", "1h"],
        [{ providerFallbackChains: { "*": ["a/b"] } }, "providers.fallback_chains", { "*": ["a/b"] }],
        [{ "workingDirectory.basePath": "/srv/work" }, "workspace.base_path", "/srv/work"],
        [
          { workingDirectory: { basePath: "~/work" } },
          "workspace.base_path",
          path.join(host.dataDirectory, "work"),
        ],
        [{ defaultModel: "custom/x" }, "default_model", "custom/x"],
        [{ defaultSystemPromptId: "minimal" }, "default_system_prompt_id", "minimal"],
        [{ defaultPersonalityId: "p" }, "default_personality_id", "p"],
        [{ preferences: { "user.name": "Wrapped" } }, "user.name", "Wrapped"],
        [{ preferences: { defaultModel: "custom/y" }, "user.name": "Both" }, "default_model", "custom/y"],
        [{ "workflow.maxIterations": 7 }, "workflow.max_iterations", 7],
        [{ "stream.usage_chunk": "NEVER" }, "stream.usage_chunk", "never"],
      ] as const) {
        const { status, body: told } = await patch(host, body);
        expect([status, told.preferences?.[key]], JSON.stringify(body)).to.deep.equal([200, value]);
      }
      expect((await shown(host)).preferences["user.name"]).to.equal("Both");
      expect((await patch(host, { preferences: 5 })).status).to.equal(400);
    },
  );

  verifies(
    "preferences:patch",
    "of a plugin that has gone wait for it, or are taken away by null",
    async () => {
      const dataDirectory = temporaryFolder();
      const host = await durable({ dataDirectory });
      await patch(host, { "tools.terminal.shell": "bash", "tools.terminal.session_idle_minutes": 5 });
      await host.stop();
      const log = recordingLog();
      const rest = officialPlugins([
        "bundle-standard",
        "provider-embedded",
        "provider-scripted",
        "tool-terminal-operations",
      ]);
      const without = await durable({ dataDirectory, plugins: rest, log });
      expect(log.lines.map(({ fields }) => fields["preference"])).to.include("tools.terminal.shell");
      expect((await patch(without, { "tools.terminal.shell": "zsh" })).body.error?.code).to.equal(
        "unknown_preference",
      );
      expect((await patch(without, { "tools.terminal.shell": null })).status).to.equal(200);
      expect((await patch(without, { "tools.terminal.shell": null })).status).to.equal(400);
      await without.stop();
      const again = await durable({ dataDirectory });
      expect((await shown(again)).preferences).to.include({
        "tools.terminal.shell": "sh",
        "tools.terminal.session_idle_minutes": 5,
      });
    },
  );
});

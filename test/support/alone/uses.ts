import path from "node:path";
import { expect } from "chai";
import { root } from "../../architecture/tree.ts";
import { chosenStorage } from "../chosen-storage.ts";
import type { Outside } from "./outside.ts";
import { useEndpoint } from "./use-endpoint.ts";
import { useNotices } from "./use-notices.ts";
import { converse, usePart } from "./use-part.ts";
import { chat, useProvider } from "./use-provider.ts";
import { useTelemetry } from "./use-telemetry.ts";
import { useTool } from "./use-tool.ts";
import { callOperation, pluginManifest, type PluginManifest, type Use, type UseOf } from "./use.ts";

const sampleServer = path.join(root, "plugins", "bridge-mcp-client", "test", "servers", "sample-server.mjs");
const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };

const useStorage: UseOf = async ({ provides: { storages: [type = ""] = [] } = {} }) => ({
  companions: ["endpoint-conversations"],
  settings: { storage: await chosenStorage({ type }) },
  check: converse,
});

/** Without it the person would be asked even for a thought. */
const useAuthorization: UseOf = async () => ({
  companions: ["tool-think"],
  check: async (serving) =>
    callOperation(
      serving,
      "think",
      { operation: "think", arguments: { thoughts: "-" } },
      { isUserInitiated: false },
    ),
});

const useMcpClient: UseOf = async () => ({
  settings: { "mcp.servers": { sample: { command: process.execPath, args: [sampleServer] } } },
  check: async (serving) =>
    callOperation(serving, "mcp_sample", {
      operation: "add-numbers",
      arguments: { a: 2, b: 3 },
      says: /sum 5/,
    }),
});

/** The command that editors start finds it. */
const useEditors: UseOf = async () => ({
  check: async ({ pergola }) => {
    const params = { protocolVersion: 1, clientCapabilities: {} };
    const answer = await pergola(
      ["acp"],
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`,
    );
    expect((JSON.parse(answer) as { readonly result?: object }).result).to.include({ protocolVersion: 1 });
  },
});

/** The command has the settings of a client. */
const useConnect: UseOf = async () => ({
  check: async ({ pergola }) => {
    expect(await pergola(["connect", "codex"], "")).to.include("[model_providers.pergola]");
  },
});

const useMcpServer: UseOf = async () => ({
  check: async ({ ask }) => {
    const headers = { accept: "application/json, text/event-stream" };
    const { body } = await ask<{ readonly result?: object }>(
      "POST",
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "initialize", params: hello },
      headers,
    );
    expect(body.result).to.have.property("serverInfo");
  },
});

/**
 * What keeps memories brings packages of its own: beside it the routes are seen with the part that it brings,
 * alone they say what is missing.
 */
const useMemories: UseOf = async () => ({
  check: async ({ ask }) => {
    const { status, body } = await ask<{ readonly error?: { readonly message: string } }>(
      "GET",
      "/api/memories",
    );
    expect([status, body.error?.message]).to.deep.equal([404, "No plugin that keeps memory is installed."]);
  },
});

/**
 * A bundle is of use when all that it names runs; the standard one is what runs when the settings name
 * nothing.
 */
const useBundle: UseOf = async ({ id, includes = [] }) => ({
  check: async (serving) => {
    const running = serving.plugins
      .filter(({ state }) => state === "running")
      .map((plugin) => `@pergola/${plugin.id}`);
    expect(running).to.include.members([...includes]);
    if (id === "bundle-standard") expect(await chat(serving, "default")).to.match(/\w/);
  },
});

/** Its part is seen at work, and its routes are asked. */
const useFeature: UseOf = async (manifest, outside) => {
  const [part, endpoint] = [await usePart(manifest, outside), await useEndpoint(manifest, outside)];
  return {
    ...part,
    check: async (serving) => {
      await part.check(serving);
      await endpoint.check(serving);
    },
  };
};

/** It runs; what it does is only to be seen together with others. */
const useNothing: UseOf = async () => ({ check: async () => undefined });

const byId: Readonly<Record<string, UseOf>> = {
  "bridge-acp": useEditors,
  "bridge-connect": useConnect,
  "bridge-mcp-client": useMcpClient,
  "bridge-mcp-server": useMcpServer,
  "endpoint-memories": useMemories,
  "feature-notices": useNotices,
  "feature-telemetry": useTelemetry,
  "policy-authorization": useAuthorization,
  "policy-instructions": usePart,
};

const byKind: Readonly<Record<PluginManifest["kind"], UseOf>> = {
  tool: useTool,
  provider: useProvider,
  storage: useStorage,
  endpoint: useEndpoint,
  policy: useNothing,
  bridge: usePart,
  service: usePart,
  feature: useFeature,
  bundle: useBundle,
};

/** How a plugin is used beside the core, by its kind. */
export async function useOf(id: string, outside: Outside): Promise<Use> {
  const manifest = pluginManifest(id);
  return (byId[id] ?? byKind[manifest.kind])(manifest, outside);
}

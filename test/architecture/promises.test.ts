import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import type { HookName, PluginHost } from "@pergola/sdk";
import type { HostPlugin } from "@pergola/sdk/host";
import { pluginFolders, read, root } from "./tree.ts";

interface Manifest {
  readonly kind: string;
  readonly provides?: object;
}

const folders = [
  ...pluginFolders().map((id) => `plugins/${id}`),
  ...readdirSync(path.join(root, "examples")).map((name) => `examples/${name}`),
].filter((folder) => existsSync(path.join(root, folder, "plugin.json")));

const manifestOf = (folder: string): Manifest => JSON.parse(read(`${folder}/plugin.json`)) as Manifest;

async function pluginIn(folder: string): Promise<HostPlugin> {
  const file = pathToFileURL(path.join(root, folder, "index.ts")).href;
  return ((await import(file)) as { readonly default: HostPlugin }).default;
}

/** The hooks that a plugin taps when it is registered. */
async function hooksOf(plugin: HostPlugin): Promise<readonly HookName[]> {
  const hooks: HookName[] = [];
  const host: Pick<PluginHost, "tap"> = { tap: (name) => void hooks.push(name) };
  await plugin.register?.(host as Parameters<NonNullable<HostPlugin["register"]>>[0]);
  return hooks.toSorted();
}

const routesOf = ({ endpoints = [] }: HostPlugin): readonly string[] =>
  endpoints.flatMap(({ routes }) => routes.map(({ method, path: address }) => `${method} ${address}`));

/** The operations that each tool offers; hidden ones are not promised. */
const toolsOf = ({ tools = [] }: HostPlugin): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    tools.map(({ name, operations }) => [
      name,
      operations.filter(({ hidden }) => hidden !== true).map((operation) => operation.name),
    ]),
  );

/** The commands that a package exports. */
function commandsOf(folder: string): readonly string[] {
  const { exports = {} } = JSON.parse(read(`${folder}/package.json`)) as { readonly exports?: object };
  return Object.keys(exports).flatMap((name) => /^\.\/commands\/(.+)$/.exec(name)?.[1] ?? []);
}

/** Everything a plugin provides, written as a manifest writes it. */
async function provided(folder: string): Promise<object> {
  const plugin = await pluginIn(folder);
  const { providers = [], storages = [], parts = {} } = plugin;
  return {
    tools: toolsOf(plugin),
    providers: providers.map(({ type }) => type),
    storages: storages.map(({ type }) => type),
    commands: commandsOf(folder),
    endpoints: routesOf(plugin),
    hooks: await hooksOf(plugin),
    parts: Object.keys(parts),
  };
}

function promised({ provides = {} }: Manifest): object {
  const nothing = { tools: {}, providers: [], storages: [], commands: [], endpoints: [], parts: [] };
  const { hooks = [], ...others } = provides as { readonly hooks?: readonly string[] };
  return { ...nothing, ...others, hooks: hooks.toSorted() };
}

/**
 * The order counts, except that of hooks: a manifest lists operations and routes in the order in which they
 * are offered.
 */
describe("what the manifest promises", () => {
  for (const folder of folders.filter((one) => manifestOf(one).kind !== "bundle"))
    it(`T19: is exactly what the code of ${folder} provides, in the same order`, async () => {
      expect(await provided(folder)).to.deep.equal(promised(manifestOf(folder)));
    });

  it("is something, for every plugin but the bundles", async () => {
    const empty = folders.filter(
      (folder) => manifestOf(folder).kind !== "bundle" && manifestOf(folder).provides === undefined,
    );
    expect(empty).to.deep.equal([]);
  });
});

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { messageOf, PluginError, type Operation, type Tool } from "@pergola/sdk";
import { describePlugin, loadPlugin, type HostPlugin, type PluginDescription } from "@pergola/sdk/host";
import type { FoundPlugin } from "./discover.ts";

type Call = (...args: readonly unknown[]) => unknown;
type Functions = Readonly<Record<string, Call | undefined>> | undefined;

/** The file in which the build describes the tools of a plugin whose code can wait for their first call. */
const descriptionFile = (entry: string): string => path.join(path.dirname(entry), "tools.json");

/** Functions of these names, each of which looks itself up in what is loaded at its first call. */
const waiting = (names: readonly string[], owner: () => Promise<Functions>): object =>
  Object.fromEntries(
    names.map((name) => [name, async (...args: readonly unknown[]) => (await owner())?.[name]?.(...args)]),
  );

/**
 * Imports a plugin into this process: one of our own that has nothing but tools when one of their functions
 * is called for the first time. Where that fails then, `failed` is told, and each call rejects with the same
 * fault.
 */
export async function openTrusted(
  found: FoundPlugin,
  failed: (fault: PluginError) => void,
): Promise<HostPlugin> {
  const file = descriptionFile(found.entry);
  if (found.source !== "own" || !existsSync(file)) return loadPlugin(found.entry);
  return lazyPlugin(found, readFileSync(file, "utf8"), failed);
}

function lazyPlugin(
  { id, entry }: FoundPlugin,
  text: string,
  failed: (fault: PluginError) => void,
): HostPlugin {
  let code: Promise<HostPlugin> | undefined;
  const load = (): Promise<HostPlugin> => (code ??= importAs(text, id, entry).catch(fail));
  const fail = (fault: PluginError): never => {
    failed(fault);
    throw fault;
  };
  const toolOf = async (name: string): Promise<Tool | undefined> =>
    (await load()).tools?.find((tool) => tool.name === name);
  const operationOf = async (family: string, name: string): Promise<Operation | undefined> =>
    (await toolOf(family))?.operations.find((operation) => operation.name === name);
  const { tools, functions: _, ...rest } = JSON.parse(text) as PluginDescription;
  return {
    ...rest,
    tools: tools.map(({ functions, operations, ...tool }) => ({
      ...tool,
      ...waiting(functions, () => toolOf(tool.name) as Promise<Functions>),
      operations: operations.map(({ functions: names, ...operation }) => ({
        ...operation,
        ...waiting(names, () => operationOf(tool.name, operation.name) as Promise<Functions>),
      })),
    })),
    stop: async (host) => (await code?.catch(() => undefined))?.stop?.(host),
  };
}

/** Imports a plugin that must bring what its description says. Rejects with PluginError. */
async function importAs(description: string, id: string, entry: string): Promise<HostPlugin> {
  try {
    const plugin = await loadPlugin(entry);
    if (JSON.stringify(describePlugin(plugin)) === description) return plugin;
  } catch (cause) {
    throw new PluginError(id, "import", messageOf(cause), { cause });
  }
  const remedy = "It may be a half-finished update: install or build it again.";
  throw new PluginError(id, "import", "its code brings other tools than it says", { remedy });
}

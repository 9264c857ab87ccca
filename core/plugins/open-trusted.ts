import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { messageOf, PluginError } from "@pergola/sdk";
import { describedLists, describePlugin, loadPlugin, type HostPlugin } from "@pergola/sdk/host";
import { bundledCode } from "../one-file/places.ts";
import type { FoundPlugin } from "./discover.ts";

type Fields = Readonly<Record<string, unknown>>;
type Call = (...args: unknown[]) => unknown;
type Load = () => Promise<Fields>;

/** The file in which the build describes a plugin whose code can wait until it is called. */
const descriptionFile = (entry: string): string => path.join(path.dirname(entry), "described.json");

/** Imports the code of a plugin. Rejects when what it exports is not a plugin. */
export const loadFound = (found: FoundPlugin): Promise<HostPlugin> =>
  loadPlugin(found.entry, found.source === "own" ? bundledCode(found) : undefined);

/**
 * Imports a plugin into this process: one of our own that the build has described when one of its functions
 * is called for the first time. Where that fails then, `failed` is told, and each call rejects with the same
 * fault.
 */
export async function openTrusted(
  found: FoundPlugin,
  failed: (fault: PluginError) => void,
): Promise<HostPlugin> {
  const file = descriptionFile(found.entry);
  if (found.source !== "own" || !existsSync(file)) return loadFound(found);
  const text = readFileSync(file, "utf8");
  const fail = (fault: PluginError): never => {
    failed(fault);
    throw fault;
  };
  let code: Promise<HostPlugin> | undefined;
  const load = (): Promise<HostPlugin> => (code ??= importAs(text, found).catch(fail));
  return {
    ...(revive(JSON.parse(text) as Fields, load as unknown as Load) as HostPlugin),
    stop: async (host) => (await code?.catch(() => undefined))?.stop?.(host),
  };
}

/** A described thing whose functions, and those of the things in it, call what is loaded. */
function revive({ functions, ...data }: Fields, load: Load): Fields {
  const names = functions as readonly string[];
  const calls = names.map((name) => [
    name,
    async (...args: unknown[]) => {
      const owner = await load();
      return (owner[name] as Call).apply(owner, args);
    },
  ]);
  const fields = Object.entries(data).map(([name, value]) => [name, reviveField(name, value, load)]);
  return Object.fromEntries([...fields, ...calls]) as Fields;
}

function reviveField(name: string, value: unknown, load: Load): unknown {
  if (!describedLists.includes(name)) return value;
  return (value as readonly Fields[]).map((item, index) =>
    revive(item, async () => ((await load())[name] as readonly Fields[])[index]!),
  );
}

/** Imports a plugin that must bring what its description says. Rejects with PluginError. */
async function importAs(description: string, found: FoundPlugin): Promise<HostPlugin> {
  const { id } = found;
  try {
    const plugin = await loadFound(found);
    if (JSON.stringify(describePlugin(plugin)) === description) return plugin;
  } catch (cause) {
    throw new PluginError(id, "import", messageOf(cause), { cause });
  }
  const remedy = "It may be a half-finished update: install or build it again.";
  throw new PluginError(id, "import", "its code brings something else than it says", { remedy });
}

import { realpathSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { didYouMean, PluginError, type PluginStatus } from "@pergola/sdk";
import { hasNoSandbox, withoutSandbox } from "../doctor/plugin-findings.ts";
import type { HostOptions } from "../host.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { silentLog } from "./person-log.ts";
import { printLines, printNote, printResult } from "./print-result.ts";
import { pendingOf, removedOf, runningPlugins } from "./running-plugins.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface CheckOptions extends CommonOptions {
  readonly trusted?: boolean;
}

/** The plugins of a host that does not listen, on scratch data; it is stopped again. */
async function inspectPlugins(
  options: CommonOptions,
  more: Pick<HostOptions, "unpinned"> = {},
): Promise<readonly PluginStatus[]> {
  const { createHost } = await import("../host.ts");
  const host = await createHost({ ...settingsOf(options), ...more, log: silentLog, inspecting: true });
  const plugins = host.services.system.plugins();
  await host.stop();
  return plugins;
}

const marks: Readonly<Record<PluginStatus["state"], string>> = {
  running: styled("green", "✓"),
  disabled: styled("dim", "·"),
  "left out": styled("red", "✗"),
};

const pinnedWords: Partial<Record<PluginStatus["pinned"], string>> = {
  linked: ", linked, not pinned",
  own: ", own, not pinned",
};

/** What keeps an isolated plugin in; that nothing does is shouted. */
function wallOf({ tier, state, sandbox }: PluginStatus): string {
  if (tier === "trusted" || state !== "running") return "";
  if (sandbox === null) return ` ${styled("red", "NOT SANDBOXED")}`;
  return ` ${styled("dim", `sandboxed (${sandbox})`)}`;
}

/** A plugin, and what the running service has not taken on yet. */
interface Listed extends PluginStatus {
  readonly pending?: string | null;
}

function linesOf(plugin: Listed): readonly string[] {
  const { id, version, tier, state, fault, pinned, pending = null } = plugin;
  const facts = styled("dim", `${version} ${tier}${pinnedWords[pinned] ?? ""}`);
  const mark = pending === null ? marks[state] : styled("yellow", "○");
  const wait = pending === null ? "" : styled("yellow", `, ${pending}`);
  const line = `${mark} ${id} ${facts}${wallOf(plugin)}${wait}`;
  if (fault === null) return [line];
  return [line, `    ${visible(fault)}`];
}

/** The plugins as the next start has them, and what of that the running service, if any, has not. */
async function compared(options: CommonOptions) {
  const [plugins, running] = await Promise.all([inspectPlugins(options), runningPlugins(options)]);
  if (running === undefined) return { plugins, removed: [] };
  const listed = plugins.map((plugin): Listed => ({ ...plugin, pending: pendingOf(plugin, running) }));
  return { plugins: listed, removed: removedOf(plugins, running) };
}

export async function listPlugins(options: CommonOptions): Promise<void> {
  const { plugins, removed } = await compared(options);
  const gone = removed.map(({ id, version }) => {
    const facts = styled("yellow", `removed; ${version} runs until the next start of the service`);
    return `${styled("yellow", "○")} ${id} ${facts}`;
  });
  printResult(options, { plugins, removed }, [...plugins.flatMap(linesOf), ...gone]);
  if (plugins.some(hasNoSandbox)) printNote(withoutSandbox);
}

export async function inspectPlugin(id: string, options: CommonOptions): Promise<number> {
  const { plugins, removed } = await compared(options);
  const names = ({ id: own, folder }: PluginStatus): readonly string[] => [
    own,
    `@pergola/${own}`,
    path.basename(own),
    folder,
  ];
  const asked = [id, path.resolve(id)];
  const found =
    plugins.find((plugin) => plugin.id === id) ??
    plugins.find((plugin) => names(plugin).some((name) => asked.includes(name)));
  if (removed.some((one) => one.id === id)) {
    printNote(`${id} was removed. The service that runs keeps it until it is started again.`);
    return exitCodes.usage;
  }
  if (found === undefined) {
    const hint = didYouMean(id, new Set(plugins.map((plugin) => plugin.id)));
    printNote(`There is no plugin "${id}".${hint} \`pergola plugins list\` names them.`);
    return exitCodes.usage;
  }
  printLines([JSON.stringify(found, null, 2)]);
  return exitCodes.ok;
}

/**
 * Loads the plugins of the settings, or those in the folders with the standard ones, and prints what is
 * wrong: for authors, and before a change goes live.
 */
export async function checkPlugins(folders: readonly string[], options: CheckOptions): Promise<number> {
  const plugins = await (folders.length === 0 ? inspectPlugins(options) : inspectFolders(folders, options));
  const faulty = plugins.filter(({ fault }) => fault !== null);
  const lines = faulty.flatMap(linesOf);
  if (lines.length === 0) lines.push(`${plugins.length} plugins, no fault.`);
  printResult(options, { plugins: plugins.length, faulty }, lines);
  return exitCodeOf(faulty.length === 0);
}

async function inspectFolders(
  folders: readonly string[],
  { trusted }: CheckOptions,
): Promise<readonly PluginStatus[]> {
  // Its own data: a plugin in a folder may have been added already.
  const scratch = await mkdtemp(path.join(tmpdir(), "pergola-check-"));
  const isolation = trusted ? "trusted" : "process";
  const entries = folders.map((folder) => ({ use: path.resolve(folder), isolation }));
  const inspect = async (more: object): Promise<readonly PluginStatus[]> => {
    const settings = path.join(scratch, "settings.json");
    await writeFile(settings, JSON.stringify({ plugins: ["@pergola/bundle-standard", ...entries], ...more }));
    return inspectPlugins({ settings, data: scratch }, { unpinned: "all" });
  };
  try {
    const plugins = await inspect({});
    const tried = plugins.map(async (plugin) => {
      const isMeant = folders.some((folder) => realpathSync(folder) === plugin.folder);
      if (!isMeant || plugin.state !== "running") return plugin;
      return { ...plugin, fault: await storageFault(plugin, inspect) };
    });
    return await Promise.all(tried);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * What the storages of a plugin lack. One that cannot be opened without settings is not judged: only its
 * user has them.
 */
async function storageFault(
  { provides }: PluginStatus,
  inspect: (more: object) => Promise<unknown>,
): Promise<string | null> {
  for (const type of (provides["storages"] ?? []) as readonly string[]) {
    try {
      await inspect({ storage: { type } });
    } catch (error) {
      if (PluginError.is(error) && error.step === "validate") return error.message;
      printNote(`The storage ${type} was not checked: without settings it cannot be opened.`);
    }
  }
  return null;
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PluginStatus } from "@pergola/sdk";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { silentLog } from "./person-log.ts";
import { printResult } from "./print-result.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

export interface CheckOptions extends CommonOptions {
  readonly trusted?: boolean;
}

/** Starts a host without listening, and with scratch data, looks at its plugins, and stops it. */
async function withPlugins(
  options: CommonOptions,
  look: (plugins: readonly PluginStatus[]) => number,
): Promise<number> {
  const { createHost } = await import("../host.ts");
  const host = await createHost({ ...settingsOf(options), log: silentLog, inspecting: true });
  try {
    return look(host.services.system.plugins());
  } finally {
    await host.stop();
  }
}

const marks: Readonly<Record<PluginStatus["state"], string>> = {
  running: styled("green", "✓"),
  disabled: styled("dim", "·"),
  "left out": styled("red", "✗"),
};

function describe({ id, version, tier, state, fault }: PluginStatus): string {
  const line = `${marks[state]} ${id} ${styled("dim", `${version} ${tier}`)}\n`;
  return fault === null ? line : `${line}    ${visible(fault)}\n`;
}

export async function listPlugins(options: CommonOptions): Promise<number> {
  return withPlugins(options, (plugins) => {
    printResult(options, { plugins }, plugins.map(describe).join(""));
    return exitCodes.ok;
  });
}

export async function inspectPlugin(id: string, options: CommonOptions): Promise<number> {
  return withPlugins(options, (plugins) => {
    const found = plugins.find((plugin) => plugin.id === id || `@pergola/${plugin.id}` === id);
    if (found === undefined) {
      process.stderr.write(`There is no plugin "${id}". \`pergola plugins list\` names them.\n`);
      return exitCodes.usage;
    }
    process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    return exitCodes.ok;
  });
}

/**
 * Loads the plugins of the settings, or those in the given folders, once, and tells what is wrong: for
 * authors, and before a change goes live.
 */
export async function checkPlugins(folders: readonly string[], options: CheckOptions): Promise<number> {
  const scratch = await mkdtemp(path.join(tmpdir(), "pergola-check-"));
  try {
    const settings = path.join(scratch, "settings.json");
    const isolation = options.trusted === true ? "trusted" : "process";
    const plugins = [
      "@pergola/bundle-standard",
      ...folders.map((folder) => ({ use: path.resolve(folder), isolation })),
    ];
    await writeFile(settings, JSON.stringify({ plugins }));
    return await withPlugins(folders.length === 0 ? options : { settings }, (all) => report(all, options));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function report(plugins: readonly PluginStatus[], options: CommonOptions): number {
  const faulty = plugins.filter(({ fault }) => fault !== null);
  const text = faulty.map(describe).join("") || `${plugins.length} plugins, no fault.\n`;
  printResult(options, { plugins: plugins.length, faulty }, text);
  return exitCodeOf(faulty.length === 0);
}

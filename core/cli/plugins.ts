import path from "node:path";
import { didYouMean, type PluginStatus } from "@pergola/sdk";
import { hasNoSandbox, withoutSandbox } from "../doctor/plugin-findings.ts";
import { sentences } from "../plugins/plugin-status.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { silentLog } from "./person-log.ts";
import { printLines, printNote, printResult } from "./print-result.ts";
import { pendingOf, removedOf, runningPlugins } from "./running-plugins.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface CheckOptions extends CommonOptions {
  readonly trusted?: boolean;
  readonly types?: boolean;
}

/** The plugins of a host that does not listen, on scratch data; it is stopped again. */
async function inspectPlugins(options: CommonOptions): Promise<readonly PluginStatus[]> {
  const { createHost } = await import("../host.ts");
  const host = await createHost({ ...settingsOf(options), log: silentLog, inspecting: true });
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
  // First, and alone: loading plugins would hold up this process while the service's answer is waited for.
  const running = await runningPlugins(options);
  const plugins = await inspectPlugins(options);
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
 * Loads the plugins of the settings, or those at the paths with the standard ones, and prints what is wrong:
 * for authors, and before a change goes live.
 */
export async function checkPlugins(paths: readonly string[], options: CheckOptions): Promise<number> {
  if (paths.length > 0) return checkOwn(paths, options);
  const plugins = await inspectPlugins(options);
  const faulty = plugins.filter(({ fault }) => fault !== null);
  return report(options, { plugins: plugins.length, faulty }, faulty.flatMap(linesOf));
}

async function checkOwn(paths: readonly string[], options: CheckOptions): Promise<number> {
  const { checkPaths } = await import("../check/check-paths.ts");
  const plugins = await checkPaths(paths, { ...options, log: silentLog, note: printNote });
  const faulty = plugins.filter(({ problems }) => problems.length > 0);
  const lines = faulty.flatMap(({ problems, ...plugin }) => [
    linesOf({ ...plugin, state: "left out", fault: null })[0]!,
    ...problems.map((problem) => `    ${visible(sentences(problem))}`),
  ]);
  return report(options, { plugins: plugins.length, faulty }, lines);
}

function report(
  options: CheckOptions,
  found: { readonly plugins: number; readonly faulty: readonly PluginStatus[] },
  lines: readonly string[],
): number {
  const none = `${found.plugins} plugins, no fault.`;
  printResult(options, found, lines.length === 0 ? [none] : lines);
  return exitCodeOf(found.faulty.length === 0);
}

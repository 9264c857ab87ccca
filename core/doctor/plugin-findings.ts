import type { PluginStatus } from "@pergola/sdk";
import { fault, note, ok, sentence, type Finding } from "./findings.ts";

const address = "#/plugins";

/** What to know of isolated plugins that run without a sandbox. */
export const withoutSandbox =
  "They run without a sandbox, because plugins.require_sandbox is false. Node's permissions guard against " +
  "mistakes, not against malice: keep only plugins that you trust with everything you may do.";

export const hasNoSandbox = ({ tier, state, sandbox }: PluginStatus): boolean =>
  tier === "isolated" && state === "running" && sandbox === null;

/** What the person did not do: that an earlier version runs, since the newer one failed too often. */
export function rollBackOf({ version, rolledBack }: PluginStatus): string | undefined {
  if (rolledBack === null || version !== rolledBack.to) return undefined;
  const { from, to, time } = rolledBack;
  return `${from} failed too often; ${to} runs in its place since ${time}`;
}

/** How the plugins of a host are. */
export function pluginFindings(plugins: readonly PluginStatus[]): readonly Finding[] {
  const running = plugins.filter(({ state }) => state === "running");
  return [
    ok({ id: "plugins", what: "Plugins", detail: `${running.length} running`, address }),
    ...pluginFaults(plugins),
    ...rollBacks(plugins),
    ...isolatedFindings(plugins),
  ];
}

const pluginFaults = (plugins: readonly PluginStatus[]): readonly Finding[] =>
  plugins.flatMap(({ id, problem }) => {
    if (problem === null) return [];
    const { message, remedy } = problem;
    return [fault({ id: `plugin:${id}`, what: id, detail: sentence(message), remedy, address })];
  });

const rollBacks = (plugins: readonly PluginStatus[]): readonly Finding[] =>
  plugins.flatMap((plugin) => {
    const detail = rollBackOf(plugin);
    if (detail === undefined) return [];
    return [note({ id: `rolled_back:${plugin.id}`, what: plugin.id, detail, address })];
  });

/** What keeps isolated plugins in. */
function isolatedFindings(plugins: readonly PluginStatus[]): readonly Finding[] {
  const isolated = plugins.filter(({ tier, state }) => tier === "isolated" && state === "running");
  const open = isolated.filter(hasNoSandbox).map(({ id }) => id);
  const [walled] = isolated.filter((plugin) => !hasNoSandbox(plugin));
  const findings: Finding[] = [];
  if (walled !== undefined) {
    const detail = `sandboxed (${walled.sandbox})`;
    findings.push(ok({ id: "isolated_plugins", what: "Isolated plugins", detail, address }));
  }
  if (open.length > 0) {
    const what = `NOT SANDBOXED: ${open.join(", ")}`;
    findings.push(fault({ id: "not_sandboxed", what, detail: withoutSandbox, address }));
  }
  return findings;
}

import type { PluginStatus } from "@pergola/sdk";
import { exitCodes } from "./exit-codes.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { styled } from "./visible.ts";

/** Starts a host without listening, looks at its plugins, and stops it. */
async function withPlugins(options: CommonOptions, look: (plugins: readonly PluginStatus[]) => number): Promise<number> {
  const { createHost } = await import("../host.ts");
  const host = await createHost({ ...settingsOf(options), quiet: true, inspecting: true });
  try {
    return look(host.services.system.plugins());
  } finally {
    await host.stop();
  }
}

const line = ({ id, version, tier, state, fault }: PluginStatus): string => {
  const mark = state === "running" ? styled("green", "✓") : state === "disabled" ? styled("dim", "·") : styled("red", "✗");
  return `${mark} ${id} ${styled("dim", `${version} ${tier}`)}${fault === null ? "" : `\n    ${fault}`}`;
};

export async function listPlugins(options: CommonOptions): Promise<number> {
  return withPlugins(options, (plugins) => {
    process.stdout.write(`${options.json === true ? JSON.stringify({ plugins }) : plugins.map(line).join("\n")}\n`);
    return exitCodes.ok;
  });
}

export async function inspectPlugin(id: string, options: CommonOptions): Promise<number> {
  return withPlugins(options, (plugins) => {
    const found = plugins.find((plugin) => plugin.id === id || plugin.id.endsWith(`/${id}`));
    if (found === undefined) process.stderr.write(`There is no plugin "${id}". \`pergola plugins list\` names them.\n`);
    else process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    return found === undefined ? exitCodes.usage : exitCodes.ok;
  });
}

/** Loads everything once and tells what is wrong; for authors, and before a change of settings goes live. */
export async function checkPlugins(options: CommonOptions): Promise<number> {
  return withPlugins(options, (plugins) => {
    const faulty = plugins.filter(({ fault }) => fault !== null);
    process.stdout.write(faulty.length === 0 ? `${plugins.length} plugins, no fault.\n` : `${faulty.map(line).join("\n")}\n`);
    return faulty.length === 0 ? exitCodes.ok : exitCodes.failed;
  });
}

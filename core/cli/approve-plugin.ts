import { discoverPlugins, type FoundPlugin } from "../plugins/discover.ts";
import { pluginDigest } from "../plugins/plugin-digest.ts";
import { lockedAs, lockPlugins, readLock } from "../plugins/plugin-lock.ts";
import { readSettings } from "../settings/read-settings.ts";
import { exitCodes } from "./exit-codes.ts";
import { printLines, printNote, printResult } from "./print-result.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { visible } from "./visible.ts";

interface ApproveOptions extends CommonOptions {
  readonly yes?: boolean;
}

/** What the person should know before they say yes. */
function describePlugin({ id, version, folder, provides, permissions, tier }: FoundPlugin): string[] {
  const tools = Object.entries(provides.tools ?? {}).map(([name, list]) => `${name} (${list.join(", ")})`);
  const place = tier === "trusted" ? "the host's process, with all that the host may do" : "its own process";
  const lines = [
    `${id} ${version}, in ${folder}`,
    `  runs in    ${place}`,
    `  tools      ${tools.join("; ") || "none"}`,
    `  may reach  ${JSON.stringify(permissions)}`,
  ];
  return lines.map(visible);
}

/** Asks for a yes; without a terminal there is none. */
async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message: "Use it as it is now?", initialValue: false });
  return !isCancel(answer) && answer;
}

/** Takes a plugin that has changed as it is now; the next start of the service loads it. */
export async function approvePlugin(id: string, options: ApproveOptions): Promise<number> {
  const source = await readSettings(settingsOf(options));
  const { all } = discoverPlugins(source);
  const found = all.find((plugin) => plugin.id === id && plugin.source === "package");
  if (found === undefined) {
    printNote(`"${id}" is no package of somebody else in the settings; only those are approved.`);
    return exitCodes.usage;
  }
  const { installed: dataDirectory } = source.reader;
  const files = await pluginDigest(found.folder);
  if (readLock(dataDirectory)[id]?.files === files) {
    printNote(`${id} has not changed since it was approved.`);
    return exitCodes.ok;
  }
  if (options.json !== true) printLines(describePlugin(found));
  if (options.yes !== true && !(await isConfirmed())) {
    printNote("It was not approved. Without a terminal, look at it and repeat the command with --yes.");
    return exitCodes.failed;
  }
  lockPlugins(dataDirectory, { [id]: lockedAs(found, files, new Date().toISOString()) });
  printResult(options, { id, version: found.version, files }, [`Approved ${id}. Start the service again.`]);
  return exitCodes.ok;
}

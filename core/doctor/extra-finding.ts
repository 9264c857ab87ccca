import type { PluginStatus } from "@pergola/sdk";
import { findExtras } from "../supply/find-extras.ts";
import { ok, type Finding } from "./findings.ts";

/** Which extras of Pergola's own plugins are there. That some are not is no fault: they come when needed. */
export function extraFinding(plugins: readonly PluginStatus[]): Finding {
  const own = plugins.filter(({ official, state }) => official && state === "running");
  const extras = findExtras(own.map(({ folder }) => folder));
  const about = { id: "extras", what: "Extras" };
  const missing = extras.filter(({ isInstalled }) => !isInstalled).map(({ name }) => name);
  if (missing.length === 0) return ok({ ...about, detail: "all installed" });
  const detail =
    `not installed: ${missing.join(", ")}; \`pergola extras list\` says what they are for, ` +
    "`pergola extras add <name>` fetches one";
  return ok({ ...about, detail });
}

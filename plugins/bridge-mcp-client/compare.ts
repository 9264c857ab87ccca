import { canonicalJson } from "@pergola/sdk/host";
import type { Kept } from "./kept-descriptions.ts";
import { digestOf, type McpTool } from "./mcp-tool.ts";
import type { Launch } from "./server-settings.ts";
import { visible } from "./visible.ts";

const shown = (value: unknown): string => visible(JSON.stringify(value, undefined, 2) ?? "");

/** Holds what the server says now against what was approved. */
export function compare(kept: Kept, told: readonly McpTool[]): Pick<Kept, "changed" | "fresh"> {
  const now = new Map(told.map((tool) => [tool.name, digestOf(tool)]));
  const approved = new Set(kept.tools.map(({ name }) => name));
  return {
    changed: kept.tools.filter((tool) => now.get(tool.name) !== digestOf(tool)).map(({ name }) => name),
    fresh: [...now.keys()].filter((name) => !approved.has(name)),
  };
}

export const sameLaunch = (a: Launch | null, b: Launch): boolean =>
  a !== null && canonicalJson(a) === canonicalJson(b);

/** What is started or called, before and now; whole. */
export const launchChange = (before: Launch | null, now: Launch): string =>
  `Approved:\n${before === null ? "nothing" : shown(before)}\n\nNow:\n${shown(now)}`;

/** All that differs, whole: what is approved must have been seen. */
export function toolChanges(kept: Kept, told: readonly McpTool[]): string {
  const { changed, fresh } = compare(kept, told);
  const find = (tools: readonly McpTool[], name: string): string =>
    shown(tools.find((tool) => tool.name === name) ?? "(not there any more)");
  return [
    ...changed.map(
      (name) => `Changed: ${visible(name)}\nApproved:\n${find(kept.tools, name)}\nNow:\n${find(told, name)}`,
    ),
    ...fresh.map((name) => `New: ${visible(name)}\n${find(told, name)}`),
  ].join("\n\n");
}

import { canonicalJson, visibleText as visible } from "@pergola/sdk/host";
import type { KnownServer } from "./known-servers.ts";
import { digestOf, type McpTool } from "./mcp-tool.ts";
import type { Launch } from "./server-settings.ts";

const textOf = (value: unknown): string => visible(JSON.stringify(value, undefined, 2) ?? "");

/** What is known of a server that lists these tools now; none of them is approved by that. */
export function sighted({ launch, tools }: KnownServer, current: readonly McpTool[]): KnownServer {
  const known = { launch, tools, ...compare({ tools }, current) };
  return known.changed.length + known.fresh.length === 0 ? known : { ...known, seen: current };
}

/** Holds what the server says now against what was approved. */
export function compare(
  known: Pick<KnownServer, "tools">,
  current: readonly McpTool[],
): Pick<KnownServer, "changed" | "fresh"> {
  const now = new Map(current.map((tool) => [tool.name, digestOf(tool)]));
  const approved = new Set(known.tools.map(({ name }) => name));
  return {
    changed: known.tools.filter((tool) => now.get(tool.name) !== digestOf(tool)).map(({ name }) => name),
    fresh: [...now.keys()].filter((name) => !approved.has(name)),
  };
}

export const sameLaunch = (a: Launch | null, b: Launch): boolean =>
  a !== null && canonicalJson(a) === canonicalJson(b);

/** What is started or called, before and now; whole. */
export const launchChange = (before: Launch | null, now: Launch): string =>
  `Approved:\n${before === null ? "nothing" : textOf(before)}\n\nNow:\n${textOf(now)}`;

/** All that differs, whole: what is approved must have been seen. */
export function toolChanges(known: KnownServer, current: readonly McpTool[]): string {
  const { changed, fresh } = compare(known, current);
  const find = (tools: readonly McpTool[], name: string): string =>
    textOf(tools.find((tool) => tool.name === name) ?? "(not there any more)");
  return [
    ...changed.map(
      (name) =>
        `Changed: ${visible(name)}\nApproved:\n${find(known.tools, name)}\nNow:\n${find(current, name)}`,
    ),
    ...fresh.map((name) => `New: ${visible(name)}\n${find(current, name)}`),
  ].join("\n\n");
}

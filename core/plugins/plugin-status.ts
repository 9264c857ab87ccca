import type { PluginError, PluginStatus } from "@pergola/sdk";
import type { FoundPlugin } from "./discover.ts";

type Known = Pick<FoundPlugin, "id" | "version" | "folder" | "tier" | "disabled" | "provides"> & {
  readonly kind: string;
};

type HookCounts = PluginStatus["hooks"];

/** A fault with its remedy. */
export const sentences = ({ message, remedy }: PluginError): string =>
  `${message.replace(/[^.?!]$/, "$&.")} ${remedy}`;

/** What is known of a plugin whose manifest could not be read. */
export const unreadable = (id: string): Known => ({
  id,
  kind: "unknown",
  version: "",
  folder: "",
  tier: "isolated",
  disabled: false,
  provides: {},
});

/** How a plugin is doing, for those who look. */
export function statusOf(
  { id, kind, version, folder, tier, disabled, provides }: Known,
  fault: PluginError | undefined,
  counts: readonly (HookCounts[number] & { readonly plugin: string })[],
): PluginStatus {
  const hooks = counts.map(({ plugin: _, ...count }) => count);
  let state: PluginStatus["state"] = "running";
  if (fault !== undefined) state = "left out";
  if (disabled) state = "disabled";
  const message = fault === undefined ? null : sentences(fault);
  return { id, kind, version, folder, tier, state, fault: message, provides: { ...provides }, hooks };
}

import { PluginError } from "@pergola/sdk";
import type { FoundPlugin } from "./discover.ts";

const waits = "it waits for itself: ";
const remedy = "Install and enable what it needs, or name it under disabled.";

/**
 * The plugins in an order in which each comes after those it names in `after`; what cannot be placed is a
 * fault.
 */
export function orderPlugins(plugins: readonly FoundPlugin[]): {
  readonly ordered: readonly FoundPlugin[];
  readonly faults: readonly PluginError[];
} {
  const ordered: FoundPlugin[] = [];
  const faults = new Map<string, PluginError>();
  const place = (plugin: FoundPlugin, trail: readonly string[]): string | undefined => {
    const { id, after } = plugin;
    if (ordered.includes(plugin)) return undefined;
    if (trail.includes(id)) return waits + [...trail.slice(trail.indexOf(id)), id].join(" → ");
    const reasons = after.map((need) => reasonAgainst(need, [...trail, id]));
    const reason = reasons.find((found) => found !== undefined);
    if (reason === undefined) ordered.push(plugin);
    else faults.set(id, new PluginError(id, "order", reason, { remedy }));
    return reason;
  };
  const reasonAgainst = (need: string, trail: readonly string[]): string | undefined => {
    const other = plugins.find(({ id }) => id === need);
    if (other === undefined) return `it must come after ${need}, which is not there`;
    const isLeftOut = faults.has(need);
    const reason = isLeftOut ? undefined : place(other, trail);
    if (reason?.startsWith(waits)) return reason;
    if (isLeftOut || reason !== undefined) return `it must come after ${need}, which is left out`;
    return undefined;
  };
  for (const plugin of plugins) if (!faults.has(plugin.id)) place(plugin, []);
  return { ordered, faults: [...faults.values()] };
}

import { PluginError } from "@pergola/sdk";
import type { FoundPlugin } from "./discover.ts";

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
    if (trail.includes(id))
      return `it waits for itself: ${[...trail.slice(trail.indexOf(id)), id].join(" → ")}`;
    const reasons = after.map((need) => {
      const other = plugins.find((candidate) => candidate.id === need);
      if (other === undefined) return `it must come after ${need}, which is not there`;
      const reason = faults.has(need) ? "left out" : place(other, [...trail, id]);
      return reason?.startsWith("it waits")
        ? reason
        : reason && `it must come after ${need}, which is left out`;
    });
    const reason = reasons.find((found) => found !== undefined);
    if (reason === undefined) ordered.push(plugin);
    else
      faults.set(
        id,
        new PluginError(id, "order", reason, {
          remedy: "Install and enable what it needs, or name it under disabled.",
        }),
      );
    return reason;
  };
  for (const plugin of plugins) if (!faults.has(plugin.id)) place(plugin, []);
  return { ordered, faults: [...faults.values()] };
}

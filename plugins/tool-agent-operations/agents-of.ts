import { ToolError, type Clock, type PluginHost } from "@pergola/sdk";
import { Agents } from "./agents.ts";

/**
 * The agents of each host in this process. Its clock is what a host, its hooks and the contexts of its calls
 * have in common.
 */
const opened = new WeakMap<Clock, Agents>();

export async function openAgents(host: PluginHost): Promise<void> {
  const agents = new Agents(host);
  opened.set(host.clock, agents);
  await agents.open();
}

/** Throws ToolError `unavailable` in a process of its own, where there are no services of the host. */
export function agentsOf({ clock }: { readonly clock: Clock }): Agents {
  const agents = opened.get(clock);
  if (agents !== undefined) return agents;
  throw new ToolError("unavailable", "Sub-agents need the services of the host.", {
    hint: "Tell the person: this plugin must run trusted.",
  });
}

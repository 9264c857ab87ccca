import { setTimeout } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";

/** Milliseconds before a stream is opened again that has ended. */
const [firstWait, longestWait] = [1000, 60_000];

/**
 * Listens, as long as the link is there, to what a server without sessions says of its lists; with a session
 * it says so unasked. What it would have said while nobody listened is unknown: the lists are outdated then.
 */
export async function followChanges(client: Client, outdated: () => void, left: AbortSignal): Promise<void> {
  const { tools, prompts } = client.getServerCapabilities() ?? {};
  const filter = {
    toolsListChanged: tools?.listChanged === true,
    promptsListChanged: prompts?.listChanged === true,
  };
  if (client.getProtocolEra() !== "modern" || !Object.values(filter).includes(true)) return;
  for (let wait = firstWait; !left.aborted; wait = Math.min(2 * wait, longestWait)) {
    const subscription = await client.listen(filter, { signal: left }).catch(() => undefined);
    if ((await subscription?.closed) === "local") return;
    outdated();
    await setTimeout(wait, undefined, { signal: left, ref: false }).catch(() => undefined);
  }
}

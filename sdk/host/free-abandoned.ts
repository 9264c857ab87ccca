import type { StorageHosts } from "../contract/storage.ts";
import type { Log } from "../contract/log.ts";

export interface AbandonedNames {
  readonly prefix: string;
  readonly log: Log;
  /** What the host that gets a name does before it lets it go. */
  readonly settle?: (name: string) => Promise<void>;
}

/**
 * Gives names free that hosts have left which are gone, as long as this one is there: nobody else takes them,
 * and each would be told again every second. Returns the function that ends it.
 */
export function freeAbandoned(hosts: StorageHosts, { prefix, log, settle }: AbandonedNames): () => void {
  const underWay = new Set<string>();
  const free = async (name: string): Promise<void> => {
    underWay.add(name);
    try {
      const fence = await hosts.take(name);
      if (fence === undefined) return;
      await settle?.(name)?.catch((error: unknown) =>
        log.warn({ error, name }, "what a host has left stays"),
      );
      await hosts.release(fence);
    } catch (error) {
      log.debug({ error, name }, "a name of a host that is gone could not be freed");
    } finally {
      underWay.delete(name);
    }
  };
  return hosts.watch({
    lost: () => undefined,
    abandoned: (names) => {
      for (const name of names) if (name.startsWith(prefix) && !underWay.has(name)) void free(name);
    },
  });
}

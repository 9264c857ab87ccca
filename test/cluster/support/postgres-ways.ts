import { setTimeout } from "node:timers/promises";
import { newId } from "@pergola/sdk";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { postgres } from "../../../plugins/storage-postgres/index.ts";
import { CuttingProxy } from "../../../plugins/storage-postgres/test/support/cutting-proxy.ts";
import type { PostgresServer } from "../../../plugins/storage-postgres/test/support/postgres-server.ts";
import { shared } from "../../support/plugins/storage-stepped/shared-store.ts";
import type { Way } from "../../support/plugins/storage-stepped/stepped-host.ts";

/** From now on hosts share a schema of this database, each by a way of its own; ends with what closes it. */
export async function sharePostgres(server: PostgresServer): Promise<() => Promise<void>> {
  const settings = server.settings({ host_timeout_seconds: 3 });
  const { log } = toolContext();
  const proxies: CuttingProxy[] = [];
  shared.open = async (hostLabel): Promise<Way> => {
    const proxy = await CuttingProxy.start(server.folder);
    proxies.push(proxy);
    const door = { dataDirectory: temporaryFolder(), log, hostLabel };
    const storage = await postgres.open({ ...settings, url: proxy.url() }, door);
    // A host with a session again has been told what it has lost.
    const learn = async (): Promise<void> => {
      const take = () => storage.hosts!.take(`learn/${newId.uuid()}`).catch(() => undefined);
      for (let fence = await take(); ; fence = await take()) {
        if (fence !== undefined) return storage.hosts!.release(fence);
        await setTimeout(50);
      }
    };
    const freeze = (isFrozen: boolean) => proxy.freeze(isFrozen);
    return { storage, learn, leave: async () => freeze(true), comeBack: () => freeze(false) };
  };
  const looker = await postgres.open({ ...settings }, { dataDirectory: temporaryFolder(), log });
  shared.records = looker;
  return async () => {
    await looker.close();
    for (const proxy of proxies) await proxy.stop();
  };
}

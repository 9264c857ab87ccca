import { temporaryFolder } from "@pergola/sdk/testing";
import { builtSqlite } from "/work/main/plugins/storage-sqlite/test/support/built-plugin.ts";
const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
it("times", async () => {
  const sqlite = await builtSqlite();
  for (let i = 0; i < 8; i++) {
    const t0 = performance.now();
    const s = await sqlite.open({ durability: "process" }, { dataDirectory: temporaryFolder(), log });
    const t1 = performance.now();
    const c = s.collection<any>("a", { indexes: ["x"] }); await c.put({ id: "1" });
    const t2 = performance.now();
    await s.close();
    console.log((t1 - t0).toFixed(1), (t2 - t1).toFixed(1), (performance.now() - t2).toFixed(1));
  }
});

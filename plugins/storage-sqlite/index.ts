import { definePlugin, defineStorage } from "@pergola/sdk";
import { openSqlite } from "./open-sqlite.ts";
import { prepareThread } from "./prepared-thread.ts";

export const sqlite = defineStorage({
  type: "sqlite",
  open: openSqlite,
  prepare: prepareThread,
  copy: async (...given) => (await import("./worker/copy-store.ts")).copyStore(...given),
  hold: async (...given) => (await import("./worker/copy-store.ts")).holdStore(...given),
});

export default definePlugin({ storages: [sqlite] });

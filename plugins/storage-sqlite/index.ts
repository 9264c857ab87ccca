import path from "node:path";
import { definePlugin, defineStorage } from "@pergola/sdk";
import { openSqlite } from "./open-sqlite.ts";
import { prepareThread } from "./prepared-thread.ts";
import { usualFile } from "./read-settings.ts";

export const sqlite = defineStorage({
  type: "sqlite",
  open: openSqlite,
  prepare: prepareThread,
  copy: async (...given) => (await import("./worker/copy-store.ts")).copyStore(...given),
  hold: async (...given) => (await import("./worker/copy-store.ts")).holdStore(...given),
  named: (address) => {
    const [, file] = /^sqlite:(.+)$/.exec(address) ?? [];
    return file === undefined ? undefined : { settings: { file } };
  },
  placeOf: ({ file }, dataDirectory) => path.join(dataDirectory, typeof file === "string" ? file : usualFile),
});

export default definePlugin({ storages: [sqlite] });

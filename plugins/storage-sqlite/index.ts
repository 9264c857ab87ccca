import { definePlugin, defineStorage } from "@pergola/sdk";
import { openSqlite } from "./open-sqlite.ts";

export const sqlite = defineStorage({ type: "sqlite", open: openSqlite });

export default definePlugin({ storages: [sqlite] });

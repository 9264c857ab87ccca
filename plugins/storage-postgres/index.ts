import { definePlugin, defineStorage } from "@pergola/sdk";
import { namedDatabase, placeOf } from "./address.ts";

export const postgres = defineStorage({
  type: "postgres",
  open: async (settings, door) => (await import("./open-postgres.ts")).openPostgres(settings, door),
  hold: async (_, dataDirectory) => (await import("./lock-data.ts")).lockData(dataDirectory, "hold the data"),
  view: async (settings) => (await import("./postgres-view.ts")).viewPostgres(settings),
  named: namedDatabase,
  placeOf,
});

export default definePlugin({ storages: [postgres] });

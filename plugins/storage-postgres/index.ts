import { definePlugin, defineStorage } from "@pergola/sdk";

export const postgres = defineStorage({
  type: "postgres",
  open: async (settings, door) => (await import("./open-postgres.ts")).openPostgres(settings, door),
  hold: async (_, dataDirectory) => (await import("./lock-data.ts")).lockData(dataDirectory, "hold the data"),
  view: async (settings) => (await import("./postgres-view.ts")).viewPostgres(settings),
});

export default definePlugin({ storages: [postgres] });

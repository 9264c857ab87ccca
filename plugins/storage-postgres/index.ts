import { definePlugin, defineStorage } from "@pergola/sdk";

export const postgres = defineStorage({
  type: "postgres",
  open: async (settings, door) => (await import("./open-postgres.ts")).openPostgres(settings, door),
});

export default definePlugin({ storages: [postgres] });

import { definePlugin, defineStorage } from "@pergola/sdk";
import { MemoryStorage } from "./memory-storage.ts";

export const memory = defineStorage({
  type: "memory",
  open: (_settings, { log }) => new MemoryStorage(log),
});

export default definePlugin({ storages: [memory] });

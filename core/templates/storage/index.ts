import path from "node:path";
import { definePlugin, defineStorage } from "@pergola/sdk";
import { Journal } from "./journal.ts";
import { JournalStorage } from "./journal-storage.ts";

export const storage = defineStorage({
  type: "sample-name",
  open: (_settings, { dataDirectory, log }) =>
    new JournalStorage(new Journal(path.join(dataDirectory, "sample-name.jsonl")), log),
});

export default definePlugin({ storages: [storage] });

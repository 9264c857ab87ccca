import path from "node:path";
import { definePlugin, defineStorage } from "@pergola/sdk";
import { JournalStorage } from "./journal-storage.ts";
import { Journal } from "./journal.ts";

export const journal = defineStorage({
  type: "journal",
  open: (_settings, { dataDirectory, log }) =>
    new JournalStorage(new Journal(path.join(dataDirectory, "journal.jsonl")), log),
});

export default definePlugin({ storages: [journal] });

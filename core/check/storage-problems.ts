import { mkdirSync } from "node:fs";
import path from "node:path";
import { messageOf, type Log, type Storage, type StorageDefinition } from "@pergola/sdk";
import { lackOf, missingIn } from "../plugins/storage-members.ts";
import type { Problem } from "./problem.ts";

interface Scene {
  /** A folder of its own, in which the storage may write. */
  readonly folder: string;
  readonly log: Log;
  /** Told of what could not be judged. */
  readonly note: (text: string) => void;
}

const remedy =
  "Give it all that docs/add-a-storage.md lists; describeStorage of @pergola/sdk/testing tests it.";

/** The things that a storage gives out, and what each must have. */
const given = {
  collection: ["get", "put", "delete", "find", "count"],
  search: ["index", "remove", "removeScope", "query"],
  blobs: ["put", "get", "delete"],
} as const;

/** What the things that it gives out lack. */
function innerLacks(type: string, storage: Storage): readonly string[] {
  const things = {
    collection: () => storage.collection("check", { indexes: [] }),
    search: () => storage.search("check", { fields: { text: 1 }, dimensions: 0 }),
    blobs: () => storage.blobs,
  };
  return (Object.keys(given) as (keyof typeof given)[]).flatMap((name) => {
    try {
      const missing = missingIn(things[name](), given[name]);
      return missing.length === 0
        ? []
        : [`the ${name} of the storage "${type}" has no ${missing.join(", ")}`];
    } catch (error) {
      return [`${name} of the storage "${type}" fails: ${messageOf(error)}`];
    }
  });
}

/**
 * What a storage lacks: it is opened without settings, in a scratch folder. One that needs settings is not
 * judged, for only its user has them.
 */
export async function storageProblems(
  definition: StorageDefinition,
  { folder, log, note }: Scene,
): Promise<readonly Problem[]> {
  const { type } = definition;
  const dataDirectory = path.join(folder, `storage-${type}`);
  mkdirSync(dataDirectory, { recursive: true });
  let storage: Storage;
  try {
    storage = await definition.open({}, { dataDirectory, log });
  } catch (error) {
    note(`The storage ${type} was not checked: without settings it cannot be opened (${messageOf(error)}).`);
    return [];
  }
  const lack = lackOf(type, storage);
  const lacks = lack === undefined ? innerLacks(type, storage) : [lack];
  await storage.close?.();
  return lacks.map((message) => ({ message, remedy }));
}

import { isStorageId } from "@pergola/sdk";

/** The id to look for: an empty one, which no record has, instead of one that cannot be stored. */
export function idToFind(id: string): string {
  if (isStorageId(id)) return id;
  return "";
}

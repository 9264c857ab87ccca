import path from "node:path";
import { isBelow } from "@pergola/sdk";

/** The folders between a writable one and what lies in it, from above to below. */
export function foldersAbove(file: string, writable: readonly string[]): readonly string[] {
  const parent = path.dirname(file);
  const inside = writable.some((folder) => folder !== parent && isBelow(folder, parent));
  return inside ? [...foldersAbove(parent, writable), parent] : [];
}

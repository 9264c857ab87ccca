import type { FileInfo } from "@pergola/sdk";
import { humanSize } from "./human-size.ts";

/** A moment in milliseconds since 1970 as ISO 8601 in UTC. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Permission bits as three or four octal digits: `644`, `4755`. */
export const permissions = (mode: number): string => (mode & 0o7777).toString(8).padStart(3, "0");

/** What a folder's entry says of a file, in the names of a tool's result. */
export const entryFacts = ({ path, name, size, mode, created, modified, accessed }: FileInfo) => ({
  file_path: path,
  file_name: name,
  file_size: size,
  file_size_human: humanSize(size),
  created_at: isoTime(created),
  modified_at: isoTime(modified),
  accessed_at: isoTime(accessed),
  permissions: permissions(mode),
  is_writable: (mode & 0o222) !== 0,
  is_executable: (mode & 0o111) !== 0,
});

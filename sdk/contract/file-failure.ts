import { ToolError } from "./errors.ts";

type Meaning = readonly [code: string, text: string, hint?: string];

const denied: Meaning = [
  "system_permission_denied",
  "is refused by the operating system",
  "Ask the person to change its permissions.",
];
const exists: Meaning = ["conflict", "exists already", "Choose another name, or change what is there."];
const full: Meaning = [
  "generic_error",
  "cannot be written: the disk is full",
  "Ask the person to make room.",
];

const meanings: Readonly<Record<string, Meaning>> = {
  EACCES: denied,
  EPERM: denied,
  EROFS: denied,
  EEXIST: exists,
  ENOTEMPTY: exists,
  ENOSPC: full,
  EDQUOT: full,
  ENOENT: ["file_not_found", "does not exist", "List the folder to see what is there."],
  ELOOP: [
    "permission_denied",
    "changed while being opened, or is a circle of links",
    "Look at the path again.",
  ],
  ENOTDIR: ["invalid_value", "is not a directory, or lies below something that is none", "Name a directory."],
  EISDIR: ["invalid_value", "is a directory", "Name a file."],
  ENXIO: ["invalid_value", "is not a regular file", "Name a regular file."],
  EXDEV: ["invalid_value", "lies on another file system", "Write a copy, then delete the original."],
  EFBIG: ["invalid_value", "is too large to be read at once", "Read it piece by piece."],
  ENAMETOOLONG: ["invalid_value", "is too long", "Choose a shorter name."],
};

/** A failure told in the words of the operating system, as in `EISDIR`, for `fileFailure` to explain. */
export const systemFailure = (code: string): Error =>
  Object.assign(new Error(code), { code, syscall: "open" });

/**
 * The ToolError for a failure of the file system. It names no path but the one that was given, and up to
 * three close ones in its hint. What is no failure of the system comes back as it is.
 */
export function fileFailure(error: unknown, path: string, close: readonly string[] = []): unknown {
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (ToolError.is(error) || syscall === undefined) return error;
  const [toolCode, text, hint] = meanings[code] ?? ["generic_error", `failed with ${code}`, ""];
  const suggestion = close.length > 0 && `Close to it: ${close.join(", ")}`;
  return new ToolError(toolCode, `"${path}" ${text}.`, { hint: suggestion || hint, cause: error });
}

import path from "node:path";
import { AppError, type Caller } from "@pergola/sdk";

/** Whether a folder is another, or below it; null is any folder. */
function isWithin(folder: string | null, root: string | null): boolean {
  if (root === null) return true;
  if (folder === null) return false;
  const way = path.relative(root, folder);
  return way === "" || (!way.startsWith("..") && !path.isAbsolute(way));
}

/**
 * Throws `insufficient_scope` where who changes a schedule may less than who made it: its runs would do for
 * the one what only the other may.
 */
export function checkAsWide(caller: Caller, maker: Caller): void {
  const missing = maker.scopes.find((scope) => !caller.scopes.includes(scope));
  if (missing === undefined && isWithin(maker.root, caller.root)) return;
  throw new AppError({
    code: "insufficient_scope",
    message: "This schedule was made by somebody who may more: it can be switched and deleted, not changed.",
    details: { scope: missing ?? "chat" },
  });
}

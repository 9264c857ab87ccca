import { ToolError } from "@pergola/sdk";

/**
 * One word of a POSIX shell, whatever is in it (POSIX.1-2024, Shell Command Language, 2.2.2 Single-Quotes).
 */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A path as one word; `~` and `~/…` mean the remote home. */
export function quotePath(path: string): string {
  if (path === "~") return '"$HOME"';
  if (path.startsWith("~/")) return `"$HOME"/${quote(path.slice(2))}`;
  return quote(path);
}

/** A script for a POSIX shell as the one command line that an SSH server hands to the account's own shell. */
export const commandLine = (...lines: readonly string[]): string => `exec sh -c ${quote(lines.join("\n"))}`;

/** Refuses what a program could take for an option, and what ends a string early. */
export function checkPath(parameter: string, path: string): void {
  if (path !== "" && !path.startsWith("-") && !path.includes("\0")) return;
  const value = JSON.stringify(path);
  throw new ToolError("invalid_value", `${parameter} ${value} is not a path that can be used.`, {
    hint: "It must not be empty or begin with a minus; ./-name names such a file.",
  });
}

import { ToolError } from "@pergola/sdk";
import { check, type Check } from "./checks.ts";
import type { Connection } from "./ssh/connection.ts";
import { folderPatterns } from "./ssh/run-folder.ts";
import { runScript } from "./ssh/run-script.ts";
import { quotePath } from "./ssh/shell.ts";

/** A file in each folder that was made here; a folder without it is never removed. */
const mark = ".pergola-folder";
const notOurs = 73;

/** Makes the folder and marks it, unless something else is in it. */
export async function makeInstallFolder(
  connection: Connection,
  folder: string,
  signal: AbortSignal,
): Promise<Check> {
  const script = [
    `d=${quotePath(folder)}; m="$d/${mark}"`,
    `if [ -d "$d" ] && [ ! -f "$m" ] && [ -n "$(ls -A -- "$d")" ]; then exit ${notOurs}; fi`,
    'mkdir -p -- "$d" && : >"$m" && [ -w "$d" ]',
  ];
  const { exitCode, stderr } = await runScript(connection, script, { signal });
  if (exitCode === 0) return check("install_dir", true, `${folder} is there`);
  if (exitCode === notOurs)
    return check("install_dir", false, `${folder} holds other things; name another folder`);
  return check("install_dir", false, `${folder} cannot be made: ${stderr.trim()}`);
}

/**
 * Removes the folder if it is marked, and the temporary folders of calls: those that were kept, and those
 * that calls left behind which were cut off more than a day ago. Gives the paths of what is gone. Throws
 * `conflict` when the folder was not made here.
 */
export async function removeInstallFolder(
  connection: Connection,
  folder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const script = [
    `d=${quotePath(folder)}; m="$d/${mark}"`,
    `if [ -e "$d" ] && { [ -L "$d" ] || [ ! -f "$m" ]; }; then exit ${notOurs}; fi`,
    '[ ! -e "$d" ] || { rm -rf -- "$d" && printf "%s\\n" "$d"; } || exit 1',
    `for f in ${folderPatterns.kept} ${folderPatterns.cut}; do`,
    '  [ -d "$f" ] && [ ! -L "$f" ] && [ -O "$f" ] || continue',
    '  case "$f" in */pergola-run-*) [ -n "$(find "$f" -prune -mtime +0)" ] || continue ;; esac',
    '  rm -rf -- "$f" && printf "%s\\n" "$f"',
    "done; :",
  ];
  const { exitCode, stdout, stderr } = await runScript(connection, script, { signal });
  if (exitCode === 0) return stdout.split("\n").filter((line) => line !== "");
  if (exitCode === notOurs)
    throw new ToolError("conflict", `${folder} was not made by prepare_remote, so it was not removed.`, {
      hint: "Name the folder that prepare_remote made, or ask the person.",
    });
  throw new ToolError("generic_error", `${folder} could not be removed: ${stderr.trim()}`, {
    hint: "Look at its permissions.",
  });
}

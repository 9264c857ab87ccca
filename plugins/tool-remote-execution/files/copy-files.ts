import type { Awaitable, ToolContext } from "@pergola/sdk";
import { withMachine, type MachineArguments } from "../connect.ts";
import { checkPath } from "../ssh/shell.ts";
import { arrivalNames } from "./arrivals.ts";
import { CopyBudget, type Copied, type Copying } from "./copy-budget.ts";
import { RemoteFiles } from "./remote-files.ts";

interface CopyArguments extends MachineArguments {
  readonly files: readonly string[];
  readonly directory: string;
}

/** Copies one file or folder to the name under which it arrives. */
type Copy = (file: string, name: string) => Promise<readonly Copied[]>;

/** Copies files between this computer and a machine, one after the other, as `start` says. */
export async function copyFiles(
  { files, directory, ...machine }: CopyArguments,
  context: ToolContext,
  start: (copying: Copying) => Awaitable<Copy>,
) {
  for (const file of files) checkPath("files", file);
  checkPath("directory", directory);
  const names = arrivalNames(files);
  const copied: Copied[] = [];
  await withMachine(machine, context, async (connection) => {
    const remote = await RemoteFiles.open(connection, context.signal);
    const copy = await start({ remote, context, budget: new CopyBudget() });
    for (const [index, file] of files.entries()) copied.push(...(await copy(file, names[index] ?? "")));
  });
  return { host: machine.host, files: copied };
}

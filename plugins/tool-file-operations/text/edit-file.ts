import { withFileLocks, type ToolContext } from "@pergola/sdk";
import { readEditable } from "./bytes.ts";

/** Replaces a file's text by an edited one, while no other edit runs. Returns what `edit` does. */
export const editFile = <T extends { readonly text: string }>(
  context: ToolContext,
  path: string,
  edit: (text: string) => T,
): Promise<T> =>
  withFileLocks(context.files, [path], async () => {
    const edited = edit(await readEditable(context, path));
    await context.files.write(path, edited.text);
    return edited;
  });

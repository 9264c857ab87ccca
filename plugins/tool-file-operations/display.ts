import { toolDisplay, type ToolDisplay } from "@pergola/sdk";

/** What a person sees of a search: the folder is named unless it is the working directory. */
export const searchDisplay = (
  action: string,
  { query, directory }: { readonly query: string; readonly directory: string },
): Partial<ToolDisplay> =>
  toolDisplay(
    action,
    query,
    "search",
    [directory].filter((folder) => folder !== "."),
  );

/** A further sentence of a message, after a space; "" unless the condition is met. */
export const sentenceIf = (condition: boolean, sentence: string): string => (condition ? ` ${sentence}` : "");

import { filesBelow, read } from "../architecture/tree.ts";

/** The files of the examples, and of what `pergola plugins new storage journal` makes. */
export const exampleTexts = (ending: string): readonly string[] =>
  ["examples", "core/templates/storage"]
    .flatMap((folder) => filesBelow(folder))
    .filter((file) => file.endsWith(ending))
    .map((file) => read(file).replaceAll("sample-name", "journal"));

/*
 * Operations of one family are offered to a model as one function with the union of their parameters, so a
 * parameter that several operations share is described here once, in words that fit them all.
 */

export const path = { type: "string", format: "path" } as const;

/** The file that an operation works on, with the other spellings of the parameter. */
export const filePath = {
  ...path,
  description: "Path of the file or folder: absolute, relative to the working directory, or from ~",
  aliases: ["path"],
} as const;

export const filePaths = (...aliases: readonly string[]) =>
  ({
    type: "array",
    items: path,
    description: "Files or folders to look into; the whole working directory if left out",
    aliases,
  }) as const;

/** The folder that an operation works on. */
export const folderPath = { ...filePath, aliases: ["path", "dirPath", "directory"] } as const;

/** The folder that a search covers. */
export const directory = (...aliases: readonly string[]) =>
  ({
    ...path,
    default: ".",
    description: "Folder to search; the whole working directory if left out",
    aliases,
  }) as const;

export const query = (...aliases: readonly string[]) =>
  ({
    type: "string",
    minLength: 1,
    description:
      "file_search: a glob such as *.ts or src/**/*.js. grep_search: text or a regular expression. " +
      "semantic_search: what to look for, in words",
    aliases,
  }) as const;

export const maxResults = (standard: number) =>
  ({
    type: "integer",
    minimum: 1,
    maximum: 1000,
    default: standard,
    description: "Results to return at most",
  }) as const;

export const limitDescription = "Lines (2000) or entries (100) to return at most";

/** How many entries a listing returns. */
export const entryLimit = {
  type: "integer",
  minimum: 1,
  maximum: 1000,
  default: 100,
  description: limitDescription,
} as const;

export const offset = {
  type: "integer",
  minimum: 0,
  default: 0,
  description: "How many lines, entries, files or characters to skip",
} as const;

export const content = { type: "string", description: "Text of the file, or to append to it" } as const;

export const lineNumber = {
  type: "integer",
  minimum: 1,
  description: "Number of a line, from 1",
  aliases: ["line"],
} as const;

export const newText = {
  type: "string",
  description: "The new lines",
  aliases: ["content", "text"],
} as const;

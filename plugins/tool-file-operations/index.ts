import { definePlugin, defineTool } from "@pergola/sdk";
import { yamlReader } from "./code/yaml-reader.ts";
import { pdfReader } from "./info/pdf-reader.ts";
import { appendFile } from "./operations/append-file.ts";
import { createDirectory } from "./operations/create-directory.ts";
import { createFile } from "./operations/create-file.ts";
import { deleteFile } from "./operations/delete-file.ts";
import { fileExists } from "./operations/file-exists.ts";
import { fileSearch } from "./operations/file-search.ts";
import { getErrors } from "./operations/get-errors.ts";
import { getFileInfo } from "./operations/get-file-info.ts";
import { grepSearch } from "./operations/grep-search.ts";
import { insertAtLine } from "./operations/insert-at-line.ts";
import { insertEdit } from "./operations/insert-edit.ts";
import { listDirRecursive } from "./operations/list-dir-recursive.ts";
import { listDir } from "./operations/list-dir.ts";
import { listUsages } from "./operations/list-usages.ts";
import { multiReplaceString } from "./operations/multi-replace-string.ts";
import { readFile } from "./operations/read-file.ts";
import { readToolResult } from "./operations/read-tool-result.ts";
import { renameFile } from "./operations/rename-file.ts";
import { replaceString } from "./operations/replace-string.ts";
import { semanticSearch } from "./operations/semantic-search.ts";
import { writeFile } from "./operations/write-file.ts";

const operations = [
  readFile,
  listDir,
  getFileInfo,
  getErrors,
  readToolResult,
  fileSearch,
  grepSearch,
  semanticSearch,
  listUsages,
  createFile,
  writeFile,
  appendFile,
  replaceString,
  multiReplaceString,
  insertAtLine,
  renameFile,
  deleteFile,
  createDirectory,
  fileExists,
  listDirRecursive,
  insertEdit,
];

/** Operations that only the name of the family reaches. */
const notBare = ["read_tool_result", "list_usages", "insert_edit"];
const bareNames = operations.map(({ name }) => name).filter((name) => !notBare.includes(name));

export const fileOperations = defineTool({
  name: "file_operations",
  description: "Read, search, write and edit files.",
  icon: "folder",
  aliases: {
    ...Object.fromEntries(bareNames.map((name) => [name, name])),
    replace_string_in_file: "replace_string",
    multi_replace_string_in_file: "multi_replace_string",
    insert_edit_into_file: "insert_edit",
  },
  operations,
});

export default definePlugin({
  tools: [fileOperations],
  collections: { vectors: { indexes: ["used"] } },
  async stop() {
    await Promise.all([pdfReader.end(), yamlReader.end()]);
  },
});

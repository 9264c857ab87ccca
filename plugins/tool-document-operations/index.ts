import { definePlugin, defineTool } from "@pergola/sdk";
import { documentCreate } from "./operations/document-create.ts";
import { documentDelete } from "./operations/document-delete.ts";
import { documentImport } from "./operations/document-import.ts";
import { documentList } from "./operations/document-list.ts";
import { getDocInfo } from "./operations/get-doc-info.ts";

const bareNames = ["document_import", "document_create", "document_list", "document_delete"];

export const documentOperations = defineTool({
  name: "document_operations",
  description: "Import documents into memory; write documents.",
  icon: "file-text",
  aliases: Object.fromEntries(bareNames.map((name) => [name, name])),
  operations: [documentImport, documentCreate, getDocInfo, documentList, documentDelete],
});

export default definePlugin({
  tools: [documentOperations],
  collections: { documents: { indexes: ["scope"] } },
});

import { countOf, defineOperation, toolDisplay, type Stored } from "@pergola/sdk";
import { documentsOf, type StoredDocument } from "../library/documents.ts";

const documentEntry = ({
  id,
  scope: _scope,
  memory_ids: _ids,
  version: _version,
  ...facts
}: Stored<StoredDocument>) => ({
  document_id: id,
  ...facts,
});

export const documentList = defineOperation({
  name: "document_list",
  description: "List the imported documents.",
  effect: "read",
  hidden: true,
  parameters: {},
  display: () => toolDisplay("List documents", "", "files"),
  async run(_args, context) {
    const documents = await documentsOf(context).find({ scope: context.scope });
    return {
      data: { documents: documents.map(documentEntry) },
      message: `${countOf(documents.length, "document")}.`,
    };
  },
});

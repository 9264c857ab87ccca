import { countOf, defineOperation, toolDisplay, type Stored } from "@pergola/sdk";
import { documentsOf, type StoredDocument } from "../library/documents.ts";

const shown = ({
  id,
  scope: _scope,
  memory_ids: _ids,
  version: _version,
  tags,
  ...facts
}: Stored<StoredDocument>) => ({
  document_id: id,
  ...facts,
  tags: [...tags],
});

export const documentList = defineOperation({
  name: "document_list",
  description: "List the imported documents.",
  effect: "read",
  hidden: true,
  parameters: {},
  display: () => toolDisplay("Listing documents", "", "files"),
  async run(_args, context) {
    const documents = await documentsOf(context).find({ scope: context.scope });
    return {
      data: { documents: documents.map(shown) },
      message: `${countOf(documents.length, "document")}.`,
    };
  },
});

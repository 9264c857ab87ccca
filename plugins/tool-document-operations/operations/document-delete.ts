import { defineOperation, toolDisplay, ToolError } from "@pergola/sdk";
import { documentOf, documentsOf } from "../library/documents.ts";
import { documentTurns } from "../library/document-turns.ts";
import { forget } from "../library/remember.ts";

export const documentDelete = defineOperation({
  name: "document_delete",
  description: "Remove an imported document and its text from memory. The file stays.",
  effect: "destructive",
  place: "own",
  recovery: "reconcile",
  hidden: true,
  parameters: { document_id: { type: "string" } },
  required: ["document_id"],
  display: (args) => toolDisplay("Delete document", args.document_id, "trash"),
  run: ({ document_id: id }, context) =>
    documentTurns.run(id, async () => {
      const document = await documentOf(id, context);
      if (document === undefined)
        throw new ToolError("not_found", `There is no document ${id}.`, {
          hint: "document_list shows the ids of the imported documents.",
        });
      await forget(document, context);
      await documentsOf(context).delete(id);
      return {
        data: { document_id: id, filename: document.filename },
        message: `Removed ${document.filename} from memory.`,
      };
    }),
  /** The record goes last: as long as it is there, something of the document may be. */
  reconcile: async ({ document_id: id }, context) =>
    (await documentOf(id, context)) === undefined ? "happened" : "did_not_happen",
});

import { describeEntry, imageFacts, type ContentFacts } from "@pergola/kit-file-facts";
import { defineOperation, toolDisplay, ToolError, type FileInfo, type ToolContext } from "@pergola/sdk";
import { path as pathParameter } from "../parameters.ts";
import { detectKind } from "../source/detect-kind.ts";
import { kindFacts } from "../source/document-kinds.ts";
import { loadFile } from "../source/load-source.ts";
import { documentThreads } from "../document-thread.ts";

/** A line ends with its line break: the last one opens no line. */
const countLines = (text: string): number => (text === "" ? 0 : text.replace(/\n$/, "").split("\n").length);

/** What its content tells. */
async function contentFacts(file: string, context: ToolContext): Promise<ContentFacts> {
  const source = await loadFile(file, context);
  const kind = detectKind(source);
  const { description } = kindFacts[kind];
  if (kind === "image") {
    const { width = null, height = null } = (await imageFacts(source.bytes)) ?? {};
    return {
      file_type: "image",
      type_description: description,
      image_width: width,
      image_height: height,
    };
  }
  const read = await documentThreads.run("read", { kind, bytes: source.bytes }, { signal: context.signal });
  return {
    file_type: read.kind,
    type_description: kindFacts[read.kind].description,
    character_count: [...read.text].length,
    line_count: countLines(read.text),
    ...read.facts,
  };
}

/** What cannot be read as a document is a file all the same. */
async function factsOf(file: string, { kind }: FileInfo, context: ToolContext): Promise<ContentFacts> {
  if (kind === "directory") return { file_type: "directory", type_description: "Folder" };
  try {
    return await contentFacts(file, context);
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "invalid_value") throw error;
    return { file_type: "unknown", type_description: error.message };
  }
}

export const getDocInfo = defineOperation({
  name: "get_doc_info",
  description: "Tell a document's size, times, type, pages, title and author.",
  effect: "read",
  parameters: { path: pathParameter("filePath") },
  required: ["path"],
  display: (args) => toolDisplay("Inspect document", args.path, "info"),
  examples: [
    { say: "get document info for report.pdf", arguments: { path: "report.pdf" } },
    { say: "who is the author of the document thesis.docx?", arguments: { path: "thesis.docx" } },
    { say: "how many slides does the presentation talk.pptx have?", arguments: { path: "talk.pptx" } },
    { say: "how many pages does book.pdf have?", arguments: { path: "book.pdf" } },
    { say: "what is the title of the document plan.docx?", arguments: { path: "plan.docx" } },
    { say: "show the document info of offer.pdf", arguments: { path: "offer.pdf" } },
    { say: "number of slides in deck.pptx", arguments: { path: "deck.pptx" } },
    { say: "give me the document info of report.pdf", arguments: { path: "report.pdf" } },
    { say: "which sheets are in the workbook budget.xlsx?", arguments: { path: "budget.xlsx" } },
    { say: "document information on report.docx", arguments: { path: "report.docx" } },
  ],
  run: ({ path: file }, context) =>
    describeEntry(context.files, file, async (info) => ({
      is_readable: true,
      ...(await factsOf(file, info, context)),
    })),
});

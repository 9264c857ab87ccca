import { describeEntry, type ContentFacts } from "@pergola/kit-file-facts";
import { defineOperation, toolDisplay, ToolError, type FileInfo, type ToolContext } from "@pergola/sdk";
import { extraFacts } from "../info/extra-facts.ts";
import { filePath } from "../parameters.ts";

const others: Readonly<Record<Exclude<FileInfo["kind"], "file">, ContentFacts>> = {
  directory: { file_type: "directory", type_description: "Folder" },
  link: { file_type: "link", type_description: "Symbolic link" },
  other: { file_type: "other", type_description: "Device, pipe or socket" },
};

async function factsOf(context: ToolContext, path: string, info: FileInfo): Promise<ContentFacts> {
  if (info.kind !== "file") return { is_readable: true, ...others[info.kind] };
  try {
    const { kind, facts } = await extraFacts(context, path, info);
    return {
      is_readable: true,
      file_type: kind.type,
      type_description: kind.description,
      ...facts,
    };
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return { is_readable: false, file_type: "unknown", type_description: "A file that cannot be read" };
  }
}

export const getFileInfo = defineOperation({
  name: "get_file_info",
  description:
    "Tell a file's or folder's size, times, permissions and type; of images the pixels, of PDFs the pages, " +
    "of texts the lines and characters.",
  effect: "read",
  parameters: { filePath },
  required: ["filePath"],
  display: (args) => toolDisplay("Inspect file", args.filePath, "info"),
  examples: [
    { say: "how big is video.mp4?", arguments: { filePath: "video.mp4" } },
    { say: "when was report.pdf last changed?", arguments: { filePath: "report.pdf" } },
    { say: "give me details about the file photo.jpg", arguments: { filePath: "photo.jpg" } },
    { say: "what are the permissions of run.sh?", arguments: { filePath: "run.sh" } },
    { say: "how many pages does thesis.pdf have?", arguments: { filePath: "thesis.pdf" } },
    { say: "file info for src/main.go", arguments: { filePath: "src/main.go" } },
    { say: "how much space does archive.zip need?", arguments: { filePath: "archive.zip" } },
    { say: "what type of file is data.bin?", arguments: { filePath: "data.bin" } },
    { say: "properties of notes.txt", arguments: { filePath: "notes.txt" } },
  ],
  run: ({ filePath: file }, context) =>
    describeEntry(context.files, file, (info) => factsOf(context, file, info)),
});

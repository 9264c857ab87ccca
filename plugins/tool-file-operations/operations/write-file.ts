import { countOf, defineOperation, toolDisplay } from "@pergola/sdk";
import { content, filePath } from "../parameters.ts";

export const writeFile = defineOperation({
  name: "write_file",
  description: "Write a file whole: its content is replaced, a missing file is created.",
  effect: "write",
  place: "paths",
  recovery: "repeat",
  parameters: { filePath, content },
  required: ["filePath", "content"],
  display: (args) => toolDisplay("Write file", args.filePath, "pencil"),
  examples: [
    { say: 'write "hello" to greeting.txt', arguments: { filePath: "greeting.txt", content: "hello" } },
    {
      say: "save the text buy milk in shopping.txt",
      arguments: { filePath: "shopping.txt", content: "buy milk" },
    },
    {
      say: 'replace the whole content of version.txt with "2.0.1"',
      arguments: { filePath: "version.txt", content: "2.0.1" },
    },
    {
      say: 'overwrite config.ini with "debug=false"',
      arguments: { filePath: "config.ini", content: "debug=false" },
    },
    { say: "put done into status.txt", arguments: { filePath: "status.txt", content: "done" } },
    { say: 'set the content of mode.txt to "slow"', arguments: { filePath: "mode.txt", content: "slow" } },
  ],
  async run({ filePath: file, content: text }, { files }) {
    const { bytes, created } = await files.write(file, text);
    return {
      data: { filePath: file, bytes, created },
      message: `${created ? "Created" : "Wrote"} ${file}, ${countOf(bytes, "byte")}.`,
    };
  },
});

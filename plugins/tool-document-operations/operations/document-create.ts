import path from "node:path";
import { defineOperation, toolDisplay, ToolError, type ToolContext } from "@pergola/sdk";
import { styleParameters } from "../parameters.ts";
import { importText } from "../source/import-text.ts";
import { loadFile } from "../source/load-source.ts";
import { completeStyle } from "../style/complete-style.ts";
import { colour } from "../style/colours.ts";
import type { StyleFacts } from "../style/style.ts";
import { documentTarget, isBareName } from "../write/document-name.ts";
import { isWinAnsi } from "../write/win-ansi.ts";
import { formats } from "../write/write-job.ts";
import { documentThreads } from "../document-thread.ts";

const styleNames = Object.keys(styleParameters) as (keyof StyleFacts)[];

/** What the call says of the look; colours in one form. */
function requestedStyle(args: StyleFacts): StyleFacts {
  const values = styleNames.flatMap((name): [string, unknown][] => {
    const value = args[name];
    if (value === undefined || value === "") return [];
    if (typeof value === "string" && name.endsWith("_color")) return [[name, colour(name, value)]];
    return [[name, value]];
  });
  return Object.fromEntries(values);
}

async function templateStyle(file: string | undefined, context: ToolContext): Promise<StyleFacts> {
  if (file === undefined) return {};
  const { style } = await importText(await loadFile(file, context), context);
  return style;
}

/** The operator's font files, where the text needs more than PDF's own fonts have. */
async function fontsFor(
  format: string,
  text: string,
  { files, settings }: ToolContext,
): Promise<readonly Uint8Array[]> {
  const named = (settings["tools.document.pdf_fonts"] ?? []) as readonly string[];
  if (format !== "pdf" || isWinAnsi(text)) return [];
  return Promise.all(named.map((font) => files.read(font)));
}

export const documentCreate = defineOperation({
  name: "document_create",
  description: "Write a document from Markdown. An existing file is refused unless overwrite is true.",
  effect: "write",
  place: "paths",
  recovery: "reconcile",
  parameters: {
    content: {
      type: "string",
      description: "Markdown; for xlsx also comma-separated values, with formulas such as =SUM(A2:A9)",
    },
    format: { type: "string", enum: formats },
    filename: { type: "string", format: "path", description: "Bare name" },
    output_path: {
      type: "string",
      format: "path",
      default: ".",
      description: "Folder",
      aliases: ["path"],
    },
    overwrite: { type: "boolean", default: false, description: "Replace a file that exists" },
    title: { type: "string" },
    author: { type: "string" },
    description: { type: "string" },
    ...styleParameters,
    template: { type: "string", format: "path", description: "Document whose style is taken" },
  },
  required: ["content", "format"],
  // A filename that is a path is refused as the path that it is, or by the operation.
  touches: (args) =>
    isBareName(args.filename ?? "x") ? [{ path: documentTarget(args).file, effect: "write" }] : [],
  display: (args) => toolDisplay("Create document", args.filename ?? args.title ?? args.format, "file-plus"),
  examples: [
    {
      say: 'create a word document report.docx that says "# Report"',
      arguments: { content: "# Report", format: "docx", filename: "report.docx" },
    },
    {
      say: 'make a pdf letter.pdf with the text "Dear Anna"',
      arguments: { content: "Dear Anna", format: "pdf", filename: "letter.pdf" },
    },
    {
      say: 'create a presentation with the title "Plans"',
      arguments: { content: "# Plans", format: "pptx", title: "Plans" },
    },
    {
      say: 'write a spreadsheet costs.xlsx with "Item,Price"',
      arguments: { content: "Item,Price", format: "xlsx", filename: "costs.xlsx" },
    },
    {
      say: 'write a word document minutes.docx with the text "We met"',
      arguments: { content: "We met", format: "docx", filename: "minutes.docx" },
    },
    { say: 'create a pdf with the content "Hello"', arguments: { content: "Hello", format: "pdf" } },
    { say: 'make a word document that says "Dear all"', arguments: { content: "Dear all", format: "docx" } },
    {
      say: 'create the spreadsheet stock.xlsx with the content "a,b"',
      arguments: { content: "a,b", format: "xlsx", filename: "stock.xlsx" },
    },
    {
      say: 'create a spreadsheet table.xlsx containing "x,y"',
      arguments: { content: "x,y", format: "xlsx", filename: "table.xlsx" },
    },
    {
      say: 'save "Hello" as a pdf called hello.pdf',
      arguments: { content: "Hello", format: "pdf", filename: "hello.pdf" },
    },
  ],
  async run(
    { content, format, title = "", author = "", description = "", template, overwrite, ...rest },
    context,
  ) {
    const { file, isInvented } = documentTarget({ content, format, title, ...rest });
    const mayReplace = overwrite && !isInvented;
    const hint = isInvented
      ? "Give a filename."
      : "Set overwrite to true to replace it, or give another filename.";
    if (!mayReplace && (await context.files.stat(file)) !== undefined)
      throw new ToolError("conflict", `${file} exists already.`, { hint });
    const style = completeStyle(
      { ...(await templateStyle(template, context)), ...requestedStyle(rest) },
      format,
    );
    const fonts = await fontsFor(format, content + title, context);
    context.progress(`Writing ${path.basename(file)}`);
    const job = {
      format,
      content,
      title,
      author,
      description,
      created: context.clock.now(),
      style,
      fonts,
    };
    const { bytes, notes } = await documentThreads.run("write", job, { signal: context.signal });
    const { created } = await context.files.write(file, bytes, { create: !mayReplace });
    const { real } = await context.files.resolve(file);
    return {
      data: {
        file_path: real,
        filename: path.basename(file),
        format,
        content_length: [...content].length,
      },
      message: [`${created ? "Created" : "Replaced"} ${file}, ${bytes.length} bytes.`, ...notes].join(" "),
    };
  },
  /** Not there: not made. There: it may have been made, unless it was to be replaced. */
  async reconcile(args, { files }) {
    const isThere = (await files.stat(documentTarget(args).file)) !== undefined;
    return isThere && !args.overwrite ? "unknown" : "did_not_happen";
  },
});

import { countOf, defineOperation, toolDisplay, ToolError, type ToolContext } from "@pergola/sdk";
import { sentenceIf } from "../display.ts";
import { filePath, limitDescription, offset } from "../parameters.ts";
import { binaryFailure, isBinary } from "../text/bytes.ts";
import { blockBytes, byteBlocks, wholeLines } from "../text/blocks.ts";
import { decodeAs, encodingOf, type Encoding } from "../text/encoding.ts";
import { countLines } from "../text/lines.ts";

const lineFeed = 10;
const largestContent = 8 << 20;

/** Where the wanted lines stand in the file, in bytes, and how many lines there are in all. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly totalLines: number;
  readonly encoding: Encoding;
  /** The whole file, when it fits into one block. */
  readonly whole: Uint8Array | undefined;
}

/** One pass over the file, block by block; lines are counted from 1, `last` is inclusive. */
async function locate(context: ToolContext, path: string, first: number, last: number): Promise<Place> {
  let [line, size] = [0, 0];
  let start = first === 1 ? 0 : undefined;
  let end: number | undefined;
  let encoding: Encoding = "utf-8";
  let block: Uint8Array = new Uint8Array();
  for await (block of byteBlocks(context, path)) {
    if (size === 0) encoding = textEncoding(path, block);
    for (let at = block.indexOf(lineFeed); at >= 0; at = block.indexOf(lineFeed, at + 1)) {
      line += 1;
      if (line === first - 1) start = size + at + 1;
      if (line === last) end = size + at + 1;
    }
    size += block.length;
  }
  return {
    start: start ?? size,
    end: end ?? size,
    totalLines: line + openLines(block),
    encoding,
    whole: size <= blockBytes ? block : undefined,
  };
}

/** Throws ToolError `invalid_value` for what is no text. */
function textEncoding(path: string, beginning: Uint8Array): Encoding {
  const encoding = isBinary(beginning) ? undefined : encodingOf(beginning, beginning.length === blockBytes);
  if (encoding === undefined) throw binaryFailure(path, beginning);
  return encoding;
}

/** 1 when the last block ends without a line feed. */
const openLines = (block: Uint8Array): number => Number(block.length > 0 && block.at(-1) !== lineFeed);

/** The text of a place; of more than 8 MiB the lines that fit. */
async function contentAt(
  context: ToolContext,
  path: string,
  { start, end, whole, encoding }: Place,
): Promise<string> {
  const stop = Math.min(end, start + largestContent);
  const bytes = whole?.subarray(start, stop) ?? (await context.files.read(path, { start, end: stop }));
  return decodeAs(stop === end ? bytes : wholeLines(bytes), encoding);
}

const warnings: Readonly<Record<Encoding, string>> = {
  "utf-8": "",
  damaged: "Some bytes are no UTF-8 and stand as \ufffd.",
  "windows-1252": "It is not UTF-8 and was read as windows-1252; edits need it converted to UTF-8 first.",
};

/** UTF-16 takes two units for what lies beyond U+FFFF. */
const codePoints = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

function lineDetails(first: number | undefined, last: number | undefined): readonly string[] {
  if (first === undefined) return [];
  return [`Lines ${first} to ${last ?? "the end"}`];
}

export const readFile = defineOperation({
  name: "read_file",
  description: "Read a text file or some of its lines. Lines are numbered from 1; binary files are refused.",
  effect: "read",
  parameters: {
    filePath,
    startLine: { type: "integer", minimum: 1, description: "First line to read" },
    endLine: { type: "integer", minimum: 1, description: "Last line to read" },
    offset,
    limit: {
      type: "integer",
      minimum: 1,
      default: 2000,
      description: limitDescription,
    },
  },
  required: ["filePath"],
  display: ({ filePath: file, startLine, endLine }) =>
    toolDisplay("Read file", file, "file", lineDetails(startLine, endLine)),
  examples: [
    { say: "read README.md", arguments: { filePath: "README.md" } },
    { say: "show me the file src/index.ts", arguments: { filePath: "src/index.ts" } },
    { say: "what is in package.json?", arguments: { filePath: "package.json" } },
    { say: "open notes.txt", arguments: { filePath: "notes.txt" } },
    { say: "read lines 10 to 20 of main.py", arguments: { filePath: "main.py", startLine: 10, endLine: 20 } },
    { say: "print the first 50 lines of server.log", arguments: { filePath: "server.log", limit: 50 } },
    { say: "cat ~/todo.txt", arguments: { filePath: "~/todo.txt" } },
    { say: "display the contents of config/settings.yaml", arguments: { filePath: "config/settings.yaml" } },
    { say: "what does notes.md say?", arguments: { filePath: "notes.md" } },
    { say: "have a look at setup.cfg", arguments: { filePath: "setup.cfg" } },
  ],
  async run({ filePath: file, startLine, endLine, offset: skipped, limit }, context) {
    const first = startLine ?? skipped + 1;
    if (endLine !== undefined && endLine < first) {
      throw new ToolError("invalid_value", `endLine ${endLine} comes before line ${first}.`, {
        hint: "Give an endLine that is not before the first line.",
      });
    }
    const last = Math.min(endLine ?? Infinity, first + limit - 1);
    const place = await locate(context, file, first, last);
    const { totalLines } = place;
    const content = await contentAt(context, file, place);
    const returnedLines = countLines(content);
    const read = first + returnedLines - 1;
    const truncated = read < Math.min(endLine ?? Infinity, totalLines);
    const next = sentenceIf(truncated, `Read on with offset ${read}.`);
    const warning = sentenceIf(place.encoding !== "utf-8", warnings[place.encoding]);
    return {
      data: {
        filePath: file,
        totalLines,
        startLine: first,
        returnedLines,
        truncated,
        estimatedTokens: Math.ceil(codePoints(content) / 4),
        ...(place.encoding === "windows-1252" && { encoding: place.encoding }),
      },
      content,
      message:
        returnedLines === 0
          ? `The file has ${countOf(totalLines, "line")}; there is none from line ${first} on.`
          : `Lines ${first} to ${read} of ${totalLines}.${next}${warning}`,
    };
  },
});

import { parseBlocks } from "../markdown/parse-blocks.ts";
import type { Block } from "../markdown/blocks.ts";
import type { Format, WriteJob, Writer, WrittenDocument } from "./write-job.ts";

const writers: Readonly<Record<Format, () => Promise<Writer>>> = {
  docx: async () => (await import("./docx.ts")).writeDocx,
  pdf: async () => (await import("./pdf.ts")).writePdf,
  txt: async () => (await import("./txt.ts")).writeTxt,
  markdown: async () => (await import("./markdown.ts")).writeMarkdown,
  pptx: async () => (await import("./pptx.ts")).writePptx,
  rtf: async () => (await import("./rtf.ts")).writeRtf,
  xlsx: async () => (await import("./xlsx.ts")).writeXlsx,
};

const titleBlock = (title: string): Block => ({
  type: "heading",
  quote: 0,
  level: 1,
  runs: [{ text: title }],
});

/** The document in its format. Throws ToolError `invalid_value` for text that no font can show. */
export async function writeKinds({ format, content, ...rest }: WriteJob): Promise<WrittenDocument> {
  const own = parseBlocks(content);
  const addsTitle = rest.title !== "" && !(own[0]?.type === "heading" && own[0].level === 1);
  const blocks = addsTitle ? [titleBlock(rest.title), ...own] : own;
  const write = await writers[format]();
  return { notes: [], ...(await write({ ...rest, content, addsTitle, blocks })) };
}

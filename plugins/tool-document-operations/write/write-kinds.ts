import { requireExtra } from "@pergola/kit-extras";
import { parseBlocks } from "../markdown/parse-blocks.ts";
import type { Format, WriteJob, Writer, WrittenDocument } from "./write-job.ts";

/** A writer whose libraries come when they are first needed. */
const withExtra = (load: () => Promise<Writer>) => async (): Promise<Writer> => {
  requireExtra("documents", import.meta.url);
  return load();
};

const writers: Readonly<Record<Format, () => Promise<Writer>>> = {
  docx: withExtra(async () => (await import("./docx.ts")).writeDocx),
  pdf: withExtra(async () => (await import("./pdf.ts")).writePdf),
  txt: async () => (await import("./txt.ts")).writeTxt,
  markdown: async () => (await import("./markdown.ts")).writeMarkdown,
  pptx: withExtra(async () => (await import("./pptx.ts")).writePptx),
  rtf: async () => (await import("./rtf.ts")).writeRtf,
  xlsx: withExtra(async () => (await import("./xlsx.ts")).writeXlsx),
};

/**
 * The document in its format. Throws ToolError `invalid_value` for text that no font can show, and
 * `unavailable` where the libraries of the format have yet to be fetched.
 */
export async function writeKinds({ format, content, ...rest }: WriteJob): Promise<WrittenDocument> {
  const blocks = [...parseBlocks(content)];
  const [first] = blocks;
  const hasTitle = first?.type === "heading" && first.level === 1;
  const addsTitle = rest.title !== "" && !hasTitle;
  if (addsTitle)
    blocks.unshift({
      type: "heading",
      quote: 0,
      level: 1,
      runs: [{ text: rest.title }],
    });
  const write = await writers[format]();
  const document = await write({
    ...rest,
    content,
    addsTitle,
    blocks,
  });
  return { notes: [], ...document };
}

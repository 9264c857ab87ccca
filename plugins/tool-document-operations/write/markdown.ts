import type { Writer } from "./write-job.ts";

/** The content as it is; the title comes before it when it has no heading of its own. */
export const writeMarkdown: Writer = async ({ content, title, addsTitle }) => {
  const parts = [content.trimEnd()];
  if (addsTitle) parts.unshift(`# ${title}`);
  return { bytes: Buffer.from(`${parts.join("\n\n")}\n`) };
};

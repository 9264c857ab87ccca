import type { Writer } from "./write-job.ts";

/** The content as it is; the title comes before it when it has no heading of its own. */
export const writeMarkdown: Writer = async ({ content, title, addsTitle }) => ({
  bytes: Buffer.from(`${addsTitle ? `# ${title}\n\n` : ""}${content.trimEnd()}\n`),
});

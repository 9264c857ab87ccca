import type { ApprovalRecord } from "../contract/run.ts";

/** A preview as lists and events have it: what changes and by how much, not each line. */
export function previewHead(preview: ApprovalRecord["preview"]): ApprovalRecord["preview"] {
  if (!preview) return preview;
  const files = preview.files.map(({ diff, ...file }) => {
    if (diff === null) return { ...file, diff };
    const { hunks: _, ...counts } = diff;
    return { ...file, diff: counts };
  });
  return { ...preview, files };
}

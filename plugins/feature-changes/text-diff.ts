import type { TextDiff } from "@pergola/sdk/host";

/** Lines of hunks that are shown of a file, and lines around what changes. */
const extents = {
  short: { mostLines: 2000, context: 3 },
  whole: { mostLines: 20_000, context: 1_000_000 },
} as const;

/** Milliseconds for the comparison of two texts. */
const patience = 300;

/** A file's text; undefined for bytes that are none. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export type Hunk = TextDiff["hunks"][number];

/** How many lines of hunks came and went. */
export function countsOf(hunks: readonly Pick<Hunk, "lines">[]): Pick<TextDiff, "additions" | "deletions"> {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const countOf = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { additions: countOf("+"), deletions: countOf("-") };
}

/** The hunks that fit into so many lines; the last one of them may be cut. */
function fitting(hunks: readonly Hunk[], mostLines: number): readonly Hunk[] {
  const shown: Hunk[] = [];
  let left = mostLines;
  for (const hunk of hunks) {
    if (left <= 0) break;
    shown.push({ ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return shown;
}

/**
 * What sets two contents apart, with three or all lines around it; `redact` takes secrets out of what is
 * shown. undefined where they are too far apart to be compared.
 */
export async function diffOf(
  before: Uint8Array,
  after: Uint8Array,
  redact: (text: string) => string,
  extent: keyof typeof extents = "short",
): Promise<TextDiff | undefined> {
  const [old, now] = [textOf(before), textOf(after)];
  if (old === undefined || now === undefined)
    return { binary: true, additions: 0, deletions: 0, truncated: false, hunks: [] };
  // Few calls need it.
  const { structuredPatch } = await import("diff");
  const { context, mostLines } = extents[extent];
  const patch = structuredPatch("", "", redact(old), redact(now), "", "", { context, timeout: patience });
  if (patch === undefined) return undefined;
  const hunks: readonly Hunk[] = patch.hunks;
  return {
    binary: false,
    ...countsOf(hunks),
    truncated: hunks.reduce((sum, { lines }) => sum + lines.length, 0) > mostLines,
    hunks: fitting(hunks, mostLines),
  };
}

/** A diff with all lines around it; `before` is what it begins with. undefined where the two do not fit. */
export async function widened(
  diff: TextDiff,
  before: Uint8Array,
  redact: (text: string) => string,
): Promise<TextDiff | undefined> {
  if (diff.binary) return diff;
  const { applyPatch } = await import("diff");
  // As it was compared.
  const text = redact(textOf(before) ?? "");
  const hunks = diff.hunks.map((hunk) => ({ ...hunk, lines: [...hunk.lines] }));
  const names = { oldFileName: "", newFileName: "", oldHeader: "", newHeader: "" };
  const after = applyPatch(text, { ...names, hunks });
  if (after === false) return undefined;
  const [from, to] = [text, after].map((one) => new TextEncoder().encode(one)) as [Uint8Array, Uint8Array];
  return diffOf(from, to, (one) => one, "whole");
}

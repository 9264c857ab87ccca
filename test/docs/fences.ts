import { filesBelow, read } from "../architecture/tree.ts";

/**
 * What the comment above a block says, as in `<!-- not run: needs Docker -->`: why it is not run, which test
 * runs it, what it is a recording of, or what it prints among other things.
 */
export interface Marker {
  readonly kind: "not run" | "run by" | "recorded" | "prints";
  readonly text: string;
}

/** A fenced block of a page. */
export interface Fence {
  /** Path of the page from the root. */
  readonly page: string;
  /** Of the fence that opens it, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The heading that it stands under, without its marks. */
  readonly section: string;
  readonly marker: Marker | undefined;
  /** The path that the line above names, as in "`index.ts`:". */
  readonly file: string | undefined;
}

/** The pages whose blocks are all run or checked. */
export const pages: readonly string[] = [
  "README.md",
  "SECURITY.md",
  ...filesBelow("docs").filter((file) => file.endsWith(".md")),
];

const markerOf = (line: string): Marker | undefined => {
  const [, kind, text = ""] = /^<!-- (not run|run by|recorded|prints): (.+) -->$/.exec(line) ?? [];
  return kind === undefined ? undefined : { kind: kind as Marker["kind"], text };
};

/** Throws for a comment that looks like a marker and marks no block. */
function checkMarkers(page: string, lines: readonly string[]): void {
  for (const [at, line] of lines.entries()) {
    if (!/^<!-- ?(not run|run by|recorded|prints)\b/.test(line)) continue;
    const isRight = markerOf(line) !== undefined && lines[at + 1]?.startsWith("```");
    if (!isRight) throw new Error(`${page}:${at + 1} marks no block: ${line}`);
  }
}

/** The block that a line opens; undefined where it opens none. */
function fenceAt(page: string, lines: readonly string[], at: number): Fence | undefined {
  const [opening, indent = "", language = ""] = /^( *)```(.*)$/.exec(lines[at] ?? "") ?? [];
  if (opening === undefined) return undefined;
  const marker = markerOf(lines[at - 1] ?? "");
  const before = lines.slice(0, marker === undefined ? at : at - 1);
  const above = before.findLast((line) => line !== "") ?? "";
  const section = before.findLast((line) => /^#+ /.test(line)) ?? "";
  const end = lines.indexOf(`${indent}\`\`\``, at + 1);
  if (end < 0) throw new Error(`${page}:${at + 1} opens a block that never ends.`);
  return {
    page,
    line: at + 1,
    language: language.trim(),
    text: lines
      .slice(at + 1, end)
      .map((line) => `${line.slice(indent.length)}\n`)
      .join(""),
    section: section.replace(/^#+ /, ""),
    marker,
    file: /`([\w./-]+)`:$/.exec(above)?.[1],
  };
}

/** The blocks of a page, in its order. Throws where one never ends, or a marker stands above none. */
export function fencesOf(page: string, text = read(page)): readonly Fence[] {
  const lines = text.split("\n");
  checkMarkers(page, lines);
  const found: Fence[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const fence = fenceAt(page, lines, at);
    if (fence === undefined) continue;
    found.push(fence);
    at += fence.text.split("\n").length;
  }
  return found;
}

/** The blocks of all pages. */
export const fences: readonly Fence[] = pages.flatMap((page) => fencesOf(page));

/** Where a block stands, for messages. */
export const placeOf = ({ page, line }: Pick<Fence, "page" | "line">): string => `${page}:${line}`;

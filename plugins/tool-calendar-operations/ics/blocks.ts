import { lineEndOf } from "@pergola/kit-dav";

export const emptyCalendar =
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Pergola//Calendar//EN\r\nEND:VCALENDAR\r\n";

/** A component directly inside a VCALENDAR, unchanged, with its position in the text. */
export interface Block {
  /** In capitals, such as VEVENT. */
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const border = /^(BEGIN|END):[ \t]*([\w-]+)[ \t]*(?:\r?\n|\r|$(?![\s\S]))/gim;

const deepest = 16;

/** The components of an iCalendar text, in order, without those that do not end. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const open: { readonly kind: string; readonly start: number }[] = [];
  for (const { 0: line, 1: edge = "", 2: name = "", index } of text.matchAll(border)) {
    const kind = name.toUpperCase();
    if (edge.toUpperCase() === "BEGIN") {
      if (kind === "VCALENDAR") open.length = 0;
      if (open.length < deepest) open.push({ kind, start: index });
      continue;
    }
    const place = open.findLastIndex((one) => one.kind === kind);
    if (place === -1) continue;
    const [component] = open.splice(place);
    if (component === undefined || open.length !== 1 || open[0]?.kind !== "VCALENDAR") continue;
    const { start } = component;
    const end = index + line.length;
    blocks.push({ kind, text: text.slice(start, end), start, end });
  }
  return blocks;
}

/** The text without some of its blocks; `replacement` takes the place of the first. */
export function replaceBlocks(text: string, blocks: readonly Block[], replacement = ""): string {
  const replacements = new Map([[blocks[0], replacement]]);
  let result = text;
  for (const block of blocks.toSorted((a, b) => b.start - a.start)) {
    const inserted = replacements.get(block) ?? "";
    result = result.slice(0, block.start) + inserted + result.slice(block.end);
  }
  return result;
}

/** The text with one more component before its end. Returns undefined if the text is not a calendar. */
export function addBlock(text: string, block: string): string | undefined {
  const end = [...text.matchAll(/^END:VCALENDAR/gim)].at(-1)?.index;
  if (end === undefined) return undefined;
  return text.slice(0, end) + block.replace(/\r?\n/g, lineEndOf(text)) + text.slice(end);
}

import type { Block, Run, Table } from "../markdown/blocks.ts";
import type { Style } from "../style/style.ts";
import { isRightToLeft } from "./right-to-left.ts";
import type { Manuscript, Writer } from "./write-job.ts";

const twips = (points: number): number => Math.round(points * 20);

/** Text in 7-bit RTF: other characters as `\u` with their UTF-16 units (specification 1.9.1, Unicode RTF). */
function escaped(text: string): string {
  let rtf = "";
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const character = text.charAt(index);
    if (character === "\n") rtf += "\\line ";
    else if (character === "\t") rtf += "\\tab ";
    else if ("\\{}".includes(character)) rtf += `\\${character}`;
    else if (unit >= 0x20 && unit < 0x7f) rtf += character;
    else if (unit >= 0x80) rtf += `\\u${unit > 0x7fff ? unit - 0x10000 : unit}?`;
  }
  return rtf;
}

/** A font's name must not end its place in the table. */
const fontName = (name: string): string => escaped(name.replaceAll(/[;{}\\]/g, ""));

const colourEntry = (colour: string): string => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `\\red${red}\\green${green}\\blue${blue};`;
};

function run({ text, bold, italic, strike, code, link }: Run): string {
  const looks = [bold && "\\b", italic && "\\i", strike && "\\strike", code && "\\f1"]
    .filter(Boolean)
    .join("");
  const styled = `{${looks && `${looks} `}${escaped(text)}}`;
  if (link === undefined) return styled;
  const address = escaped(link.replaceAll(/["\\{}]/g, encodeURIComponent));
  return `{\\field{\\*\\fldinst HYPERLINK "${address}"}{\\fldrslt {\\ul ${styled}}}}`;
}

const runs = (all: readonly Run[]): string => all.map(run).join("");
const direction = (all: readonly Run[]): string =>
  isRightToLeft(all.map(({ text }) => text).join("")) ? "\\rtlpar\\qr" : "";

function tableRow(row: readonly (readonly Run[])[], isHead: boolean, width: number): string {
  const edges = row.map(
    (_, index) =>
      `\\clbrdrt\\brdrs\\clbrdrl\\brdrs\\clbrdrb\\brdrs\\clbrdrr\\brdrs` +
      `\\cellx${Math.round((width * (index + 1)) / row.length)}`,
  );
  const cells = row.map((cell) => `\\pard\\intbl {${isHead ? "\\b " : ""}${runs(cell)}}\\cell`);
  return `\\trowd\\trgaph80${isHead ? "\\trhdr" : ""}${edges.join("")}\n${cells.join("\n")}\\row`;
}

function table({ rows }: Table, { page_width, margin_left, margin_right }: Style): string {
  const width = twips(page_width - margin_left - margin_right);
  return `${rows.map((row, index) => tableRow(row, index === 0, width)).join("\n")}\n\\pard\\par`;
}

function paragraphs(block: Block, style: Style): string {
  const { font_size, heading1_size, heading2_size, heading3_size, line_spacing } = style;
  const spacing = `\\sl${Math.round(240 * line_spacing)}\\slmult1`;
  const indent = twips(24 * block.quote);
  if (block.type === "heading") {
    const size = [heading1_size, heading2_size, heading3_size][block.level - 1] ?? font_size;
    const look = `\\outlinelevel${block.level - 1}\\keepn\\sb240\\sa120${spacing}${direction(block.runs)}`;
    return `\\pard${look}{\\b\\fs${Math.round(size * 2)}\\cf2 ${runs(block.runs)}}\\par`;
  }
  if (block.type === "paragraph")
    return `\\pard\\sa120\\li${indent}${spacing}${direction(block.runs)} ${runs(block.runs)}\\par`;
  if (block.type === "item") {
    const left = indent + twips(18 * (block.depth + 1));
    return (
      `\\pard\\sa60\\li${left}\\fi-360\\tx${left}${spacing} ` +
      `${escaped(block.marker)}\\tab ${runs(block.runs)}\\par`
    );
  }
  if (block.type === "table") return table(block, style);
  if (block.type === "code") return `\\pard\\sa120\\li${indent} {\\f1 ${escaped(block.text)}}\\par`;
  return "\\pard\\brdrb\\brdrs\\brdrw10\\brsp20 \\par";
}

function head({ title, author, description, style }: Manuscript): string {
  const { page_width, page_height, margin_top, margin_right, margin_bottom, margin_left } = style;
  const facts = { title, author, doccomm: description };
  const info = Object.entries(facts).map(([name, text]) => text && `{\\${name} ${escaped(text)}}`);
  return [
    "{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1",
    `{\\fonttbl{\\f0\\fnil ${fontName(style.font_family)};}{\\f1\\fmodern Courier New;}}`,
    `{\\colortbl;${colourEntry(style.text_color)}${colourEntry(style.heading_color)}}`,
    `{\\info${info.join("")}}`,
    `\\paperw${twips(page_width)}\\paperh${twips(page_height)}`,
    `\\margt${twips(margin_top)}\\margr${twips(margin_right)}` +
      `\\margb${twips(margin_bottom)}\\margl${twips(margin_left)}`,
    `\\f0\\fs${Math.round(style.font_size * 2)}\\cf1`,
  ].join("\n");
}

/** Rich Text Format 1.9.1, in plain ASCII. */
export const writeRtf: Writer = async (manuscript) => {
  const body = manuscript.blocks.map((block) => paragraphs(block, manuscript.style)).join("\n");
  return { bytes: Buffer.from(`${head(manuscript)}\n${body}\n}`, "latin1") };
};

import { plainText, type Block, type Row, type Run, type Table } from "../markdown/blocks.ts";
import { headingSize, textWidth, twips, type Style } from "../style/style.ts";
import { isRightToLeft } from "./right-to-left.ts";
import type { Manuscript, Writer } from "./write-job.ts";

const halfPoints = (points: number): number => Math.round(points * 2);

/** RTF's numbers have a sign. */
const signed16 = (unit: number): number => (unit << 16) >> 16;

/** Text in 7-bit RTF: other characters as `\u` with their UTF-16 units (specification 1.9.1, Unicode RTF). */
function escape(text: string): string {
  let rtf = "";
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const character = text.charAt(index);
    if (character === "\n") rtf += "\\line ";
    else if (character === "\t") rtf += "\\tab ";
    else if ("\\{}".includes(character)) rtf += `\\${character}`;
    else if (unit >= 0x20 && unit < 0x7f) rtf += character;
    else if (unit >= 0x80) rtf += `\\u${signed16(unit)}?`;
  }
  return rtf;
}

/** A font's name must not end its place in the table. */
const fontName = (name: string): string => escape(name.replaceAll(/[;{}\\]/g, ""));

const colourEntry = (colour: string): string => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `\\red${red}\\green${green}\\blue${blue};`;
};

function run({ text, bold, italic, strike, code, link }: Run): string {
  const words = [bold && "\\b", italic && "\\i", strike && "\\strike", code && "\\f1"];
  const looks = words.filter(Boolean).join("");
  const styled = `{${looks && `${looks} `}${escape(text)}}`;
  if (link === undefined) return styled;
  const address = escape(link.replaceAll(/["\\{}]/g, encodeURIComponent));
  return `{\\field{\\*\\fldinst HYPERLINK "${address}"}{\\fldrslt {\\ul ${styled}}}}`;
}

const runs = (all: readonly Run[]): string => all.map(run).join("");
function direction(all: readonly Run[]): string {
  if (isRightToLeft(plainText(all))) return "\\rtlpar\\qr";
  return "";
}

function tableRow(row: Row, width: number, isHead: boolean): string {
  const edges = row.map((_, index) => {
    const edge = Math.round((width * (index + 1)) / row.length);
    return `\\clbrdrt\\brdrs\\clbrdrl\\brdrs\\clbrdrb\\brdrs\\clbrdrr\\brdrs\\cellx${edge}`;
  });
  const [rowLook, cellLook] = isHead ? ["\\trhdr", "\\b "] : ["", ""];
  const cells = row.map((cell) => `\\pard\\intbl {${cellLook}${runs(cell)}}\\cell`);
  return `\\trowd\\trgaph80${rowLook}${edges.join("")}\n${cells.join("\n")}\\row`;
}

function table({ rows }: Table, style: Style): string {
  const width = twips(textWidth(style));
  const lines = rows.map((row, index) => tableRow(row, width, index === 0));
  return `${lines.join("\n")}\n\\pard\\par`;
}

function paragraphs(block: Block, style: Style): string {
  if (block.type === "table") return table(block, style);
  if (block.type === "rule") return "\\pard\\brdrb\\brdrs\\brdrw10\\brsp20 \\par";
  const indent = twips(24 * block.quote);
  if (block.type === "code") return `\\pard\\sa120\\li${indent} {\\f1 ${escape(block.text)}}\\par`;
  const text = runs(block.runs);
  const spacing = `\\sl${Math.round(240 * style.line_spacing)}\\slmult1`;
  if (block.type === "item") {
    const left = indent + twips(18 * (block.depth + 1));
    const place = `\\pard\\sa60\\li${left}\\fi-360\\tx${left}`;
    return `${place}${spacing} ${escape(block.marker)}\\tab ${text}\\par`;
  }
  const look = spacing + direction(block.runs);
  if (block.type === "paragraph") return `\\pard\\sa120\\li${indent}${look} ${text}\\par`;
  const place = `\\pard\\outlinelevel${block.level - 1}\\keepn\\sb240\\sa120`;
  const size = halfPoints(headingSize(style, block.level));
  return `${place}${look}{\\b\\fs${size}\\cf2 ${text}}\\par`;
}

function head({ title, author, description, style }: Manuscript): string {
  const { page_width, page_height, margin_top, margin_right, margin_bottom, margin_left } = style;
  const facts = { title, author, doccomm: description };
  const info = Object.entries(facts).map(([name, text]) => text && `{\\${name} ${escape(text)}}`);
  return [
    "{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1",
    `{\\fonttbl{\\f0\\fnil ${fontName(style.font_family)};}{\\f1\\fmodern Courier New;}}`,
    `{\\colortbl;${colourEntry(style.text_color)}${colourEntry(style.heading_color)}}`,
    `{\\info${info.join("")}}`,
    `\\paperw${twips(page_width)}\\paperh${twips(page_height)}`,
    `\\margt${twips(margin_top)}\\margr${twips(margin_right)}` +
      `\\margb${twips(margin_bottom)}\\margl${twips(margin_left)}`,
    `\\f0\\fs${halfPoints(style.font_size)}\\cf1`,
  ].join("\n");
}

/** Rich Text Format 1.9.1, in plain ASCII. */
export const writeRtf: Writer = async (manuscript) => {
  const body = manuscript.blocks.map((block) => paragraphs(block, manuscript.style)).join("\n");
  return { bytes: Buffer.from(`${head(manuscript)}\n${body}\n}`, "latin1") };
};

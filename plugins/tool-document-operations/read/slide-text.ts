import { cellText, tableRow } from "../markdown/table-row.ts";
import { visitXml, type Attributes, type XmlVisitor } from "./visit-xml.ts";

export interface SlideText {
  readonly title: string;
  readonly body: string;
}

/** Placeholders that say nothing of the slide itself. */
const chrome = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

/** Follows the shapes of a slide: paragraphs are lines, tables are tables, the title stands apart. */
class SlideVisitor implements XmlVisitor {
  readonly #titles: string[] = [];
  readonly #lines: string[] = [];
  #placeholder = "";
  #paragraph = "";
  #inText = false;
  #row: string[] | undefined;
  #rows = 0;

  open(name: string, { type = "body" }: Attributes): void {
    if (name === "sp") this.#placeholder = "";
    else if (name === "ph") this.#placeholder = type;
    else if (name === "t") this.#inText = true;
    else if (name === "br") this.#paragraph += " ";
    else if (name === "tbl") this.#rows = 0;
    else if (name === "tr") this.#row = [];
    else if (name === "tc") this.#row?.push("");
  }

  text(text: string): void {
    if (this.#inText) this.#paragraph += text;
  }

  close(name: string): void {
    if (name === "t") this.#inText = false;
    else if (name === "p") this.#endParagraph();
    else if (name === "tr") this.#endRow();
    else if (name === "sp") this.#placeholder = "";
  }

  result(): SlideText {
    return { title: this.#titles.join(" "), body: this.#lines.join("\n") };
  }

  #endParagraph(): void {
    const line = this.#paragraph.trim();
    this.#paragraph = "";
    if (line === "" || chrome.has(this.#placeholder)) return;
    if (this.#row !== undefined) this.#row[this.#row.length - 1] += `${line} `;
    else if (/title$/i.test(this.#placeholder)) this.#titles.push(line);
    else this.#lines.push(line);
  }

  #endRow(): void {
    const cells = (this.#row ?? []).map((cell) => cellText(cell.trim()));
    this.#row = undefined;
    this.#lines.push(tableRow(cells, this.#rows === 0));
    this.#rows += 1;
  }
}

export function slideText(xml: string): SlideText {
  const visitor = new SlideVisitor();
  visitXml(xml, visitor);
  return visitor.result();
}

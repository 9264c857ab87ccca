import { Parser } from "htmlparser2";
import { cellText, tableRow } from "../markdown/table-row.ts";

export interface HtmlText {
  readonly text: string;
  readonly title: string;
}

const hidden = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "select",
]);
const blocks = new Set(
  (
    "p div section article header footer main nav aside figure figcaption " +
    "blockquote ul ol dl dt dd pre form fieldset address hr table"
  ).split(" "),
);
const headings: Readonly<Record<string, string>> = {
  h1: "# ",
  h2: "## ",
  h3: "### ",
  h4: "#### ",
  h5: "##### ",
  h6: "###### ",
};

const bullet = (): string => "-";

function numbers(): () => string {
  let items = 0;
  return () => `${(items += 1)}.`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** Follows the tags of a page and writes its text as Markdown: headings, lists and tables keep their form. */
class TextWriter {
  #text = "";
  #title = "";
  #hiddenDepth = 0;
  #preDepth = 0;
  #inTitle = false;
  /** What gives the marker of the next item, for each list that is open. */
  #lists: (() => string)[] = [];
  #row: string[] | undefined;
  #rows = 0;
  /** What else the beginning of an element does. */
  readonly #openers: Readonly<Record<string, () => unknown>> = {
    title: () => (this.#inTitle = true),
    br: () => this.#line(),
    pre: () => (this.#preDepth += 1),
    li: () => this.#item(),
    tr: () => (this.#row = []),
    td: () => this.#row?.push(""),
    th: () => this.#row?.push(""),
    ul: () => this.#lists.push(bullet),
    ol: () => this.#lists.push(numbers()),
    table: () => (this.#rows = 0),
  };

  open(name: string): void {
    if (hidden.has(name)) this.#hiddenDepth += 1;
    if (name in headings || blocks.has(name)) this.#block(headings[name]);
    this.#openers[name]?.();
  }

  write(text: string): void {
    if (this.#inTitle) this.#title += text;
    else if (this.#hiddenDepth > 0) return;
    else if (this.#preDepth > 0) this.#append(text);
    else this.#append(oneLine(text));
  }

  close(name: string): void {
    if (hidden.has(name)) this.#hiddenDepth = Math.max(0, this.#hiddenDepth - 1);
    else if (name === "title") this.#inTitle = false;
    else if (name === "pre") this.#preDepth = Math.max(0, this.#preDepth - 1);
    else if (name === "ul" || name === "ol") this.#lists.pop();
    if (name === "tr") this.#endRow();
    else if (name in headings || blocks.has(name)) this.#block();
  }

  result(): HtmlText {
    const text = this.#text.replaceAll(/[ \t]+\n/g, "\n").replaceAll(/\n{3,}/g, "\n\n");
    return { text: text.trim(), title: oneLine(this.#title).trim() };
  }

  #append(text: string): void {
    if (this.#row === undefined) {
      const isAfterSpace = this.#preDepth === 0 && /\s$/.test(this.#text.slice(-1));
      this.#text += isAfterSpace ? text.trimStart() : text;
      return;
    }
    const last = this.#row.length - 1;
    if (last >= 0) this.#row[last] += text;
  }

  #endLine(): void {
    if (this.#text !== "" && !this.#text.endsWith("\n")) this.#text += "\n";
  }

  #line(): void {
    if (this.#row === undefined) this.#text += "\n";
    else this.#append(" ");
  }

  #block(mark = ""): void {
    if (this.#row !== undefined) this.#append(" ");
    else if (this.#text === "" || this.#text.endsWith("\n\n")) this.#text += mark;
    else if (!/(^|\n) *([-*]|\d+\.) $/.test(this.#text.slice(-24))) {
      this.#endLine();
      this.#text += `\n${mark}`;
    }
  }

  #item(): void {
    const nextMarker = this.#lists.at(-1) ?? bullet;
    const marker = nextMarker();
    if (this.#row !== undefined) return this.#append(" ");
    this.#endLine();
    const indent = "  ".repeat(Math.min(20, Math.max(0, this.#lists.length - 1)));
    this.#text += `${indent}${marker} `;
  }

  #endRow(): void {
    const cells = (this.#row ?? []).map((cell) => cellText(cell.trim()));
    this.#row = undefined;
    if (cells.length === 0) return;
    this.#endLine();
    this.#text += `${tableRow(cells, this.#rows === 0)}\n`;
    this.#rows += 1;
  }
}

/** The text that a reader of the page sees, as Markdown. Nothing is run or fetched. */
export function htmlToText(html: string): HtmlText {
  const writer = new TextWriter();
  const parser = new Parser(
    {
      onopentagname: (name) => writer.open(name),
      ontext: (text) => writer.write(text),
      onclosetag: (name) => writer.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.end(html);
  return writer.result();
}

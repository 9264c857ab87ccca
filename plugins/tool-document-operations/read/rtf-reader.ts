import { decodeBytes } from "@pergola/kit-file-facts";
import type { RtfToken } from "./rtf-tokens.ts";

/** Groups whose text is not the document's. */
const destinations = new Set(
  (
    "fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator info pict object " +
    "header headerf headerl headerr footer footerf footerl footerr themedata colorschememapping " +
    "latentstyles datastore xmlnstbl fldinst bkmkstart bkmkend filetbl revtbl pntext"
  ).split(" "),
);

const characters: Readonly<Record<string, string>> = {
  par: "\n\n",
  sect: "\n\n",
  page: "\n\n",
  line: "\n",
  row: "\n",
  tab: "\t",
  cell: " | ",
  emdash: "—",
  endash: "–",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  emspace: " ",
  enspace: " ",
};

/** Code pages of the character sets of fonts. */
const charsets: Readonly<Record<number, number>> = {
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

const labels: Readonly<Record<number, string>> = {
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  874: "windows-874",
  65001: "utf-8",
};

interface Group {
  readonly skipped: boolean;
  readonly destination: string;
  /** How many characters stand for one `\u` in readers that do not know it. */
  fallback: number;
  codePage: number;
}

const mostDepth = 10_000;

/** Gathers a document's text, its title and author, and the control words that tell its look. */
export class RtfReader {
  /** The first number that came with each control word. */
  readonly numbers = new Map<string, number>();
  readonly info: Record<string, string> = {};
  #text = "";
  #fontNames = "";
  #groups: Group[] = [];
  #now: Group = {
    skipped: false,
    destination: "",
    fallback: 1,
    codePage: 1252,
  };
  #pages = new Map<number, number>();
  #font = 0;
  #bytes: number[] = [];
  #toSkip = 0;
  #starred = false;

  take(token: RtfToken): void {
    if (token.type === "byte") return this.#byte(token.byte);
    this.#flush();
    if (token.type === "text") this.#write(token.text);
    else if (token.type === "word") this.#word(token.word, token.number);
    else if (token.type === "open") this.#open();
    else this.#now = this.#groups.pop() ?? this.#now;
    if (token.type !== "word" || token.word !== "*") this.#starred = false;
  }

  get text(): string {
    this.#flush();
    return this.#text;
  }

  /** The name of the first font. */
  get font(): string | undefined {
    return /^\s*([^;]+);/.exec(this.#fontNames)?.[1]?.trim();
  }

  #open(): void {
    if (this.#groups.length >= mostDepth) throw new Error("its groups are nested too deeply");
    this.#groups.push(this.#now);
    this.#now = { ...this.#now };
  }

  #word(word: string, number: number | undefined): void {
    if (word === "*") this.#starred = true;
    else if (this.#starred || destinations.has(word))
      this.#now = {
        ...this.#now,
        skipped: true,
        destination: word,
      };
    else if (this.#now.destination === "info") this.#now = { ...this.#now, destination: word };
    else if (word === "u") this.#unicode(number ?? 0);
    else if (word === "uc") this.#now.fallback = number ?? 1;
    else if (word in characters) this.#write(characters[word] ?? "");
    else if (number !== undefined) this.#setting(word, number);
  }

  #setting(word: string, number: number): void {
    if (word === "ansicpg") this.#now.codePage = number;
    if (word === "f") {
      this.#font = number;
      this.#now.codePage = this.#pages.get(number) ?? this.numbers.get("ansicpg") ?? 1252;
    }
    if (word === "fcharset")
      this.#pages.set(this.#font, charsets[number] ?? this.numbers.get("ansicpg") ?? 1252);
    if (!this.#now.skipped && !this.numbers.has(word)) this.numbers.set(word, number);
  }

  #unicode(number: number): void {
    this.#write(String.fromCharCode(number < 0 ? number + 65_536 : number));
    this.#toSkip = this.#now.fallback;
  }

  #byte(byte: number): void {
    if (this.#toSkip > 0) this.#toSkip -= 1;
    else this.#bytes.push(byte);
  }

  /** Bytes are decoded together: some code pages need two for a character. */
  #flush(): void {
    if (this.#bytes.length === 0) return;
    const { codePage } = this.#now;
    const text = decodeBytes(Uint8Array.from(this.#bytes), labels[codePage] ?? `windows-${codePage}`);
    this.#bytes = [];
    this.#append(text);
  }

  #write(text: string): void {
    const visible = text.slice(this.#toSkip);
    this.#toSkip = Math.max(0, this.#toSkip - text.length);
    this.#append(visible);
  }

  #append(text: string): void {
    const { skipped, destination } = this.#now;
    if (!skipped) this.#text += text;
    else if (destination === "fonttbl") this.#fontNames += text;
    else if (destination === "title" || destination === "author")
      this.info[destination] = (this.info[destination] ?? "") + text;
  }
}

import { Parser } from "htmlparser2";
import { fromFdPromise, type Entry, type ZipFile } from "yauzl";
import { mostText, type FactsReader } from "./facts.ts";

const mostEntries = 10_000;
/** Bytes of one part of a document, unpacked. */
const mostBytes = 8 << 20;

/** Where documents keep their properties, and their text. */
const properties = /^(docProps\/(core|app)\.xml|meta\.xml|.{0,200}\.opf)$/;
const texts =
  /^(word\/(document|footnotes|endnotes)\.xml|ppt\/slides\/slide\d+\.xml|xl\/sharedStrings\.xml|content\.xml|.{1,200}\.x?html?)$/;

/** Elements of the properties, and the attributes that they are. */
const attributes: Readonly<Record<string, string>> = {
  "dc:title": "title",
  "dc:creator": "author",
  "meta:initial-creator": "author",
  "dc:subject": "subject",
  "cp:keywords": "keywords",
  "meta:keyword": "keywords",
  "dc:description": "description",
  "dc:language": "language",
  "cp:lastModifiedBy": "last_modified_by",
  "dcterms:created": "created",
  "meta:creation-date": "created",
  Application: "creator",
  "meta:generator": "creator",
  Pages: "pages",
  Slides: "slides",
};
const numbers = new Set(["pages", "slides"]);

/** Elements after which a new word begins. */
const breaks =
  /^(w:(p|tab|br)|a:(p|br)|si|text:(p|h|tab|s|line-break)|table:table-cell|p|div|h\d|li|td|th|br|title)$/;

async function entriesOf(zip: ZipFile, isRead: (name: string) => boolean): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (isRead(entry.fileName)) entries.push(entry);
    if (zip.entriesRead >= mostEntries) break;
  }
  return entries;
}

/** The beginning of a part, as far as it is read at all. */
async function partOf(zip: ZipFile, entry: Entry): Promise<string> {
  const stream = await zip.openReadStreamPromise(entry);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    pieces.push(piece as Buffer);
    bytes += (piece as Buffer).length;
    if (bytes > mostBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, mostBytes).toString("utf8");
}

function propertiesIn(xml: string): Readonly<Record<string, string | number>> {
  const found = new Map<string, string>();
  let open: string | undefined;
  const parser = new Parser(
    {
      onopentag: (name) => {
        const attribute = attributes[name];
        if (attribute !== undefined && !found.has(attribute)) open = attribute;
      },
      ontext: (text) => {
        if (open !== undefined) found.set(open, (found.get(open) ?? "") + text);
      },
      onclosetag: () => (open = undefined),
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return Object.fromEntries(
    [...found].map(([name, text]) => [name, numbers.has(name) ? Number(text) : text]),
  );
}

function textIn(xml: string): string {
  const pieces: string[] = [];
  const parser = new Parser(
    { ontext: (text) => pieces.push(text), onclosetag: (name) => breaks.test(name) && pieces.push("\n") },
    { xmlMode: true },
  );
  parser.end(xml);
  return pieces.join("");
}

/**
 * Properties and words of documents of Office (ECMA-376), of OpenDocument and of EPUB; at most 8 MiB of each
 * part.
 */
export const officeFacts: FactsReader = async (file, wantsText) => {
  const zip = await fromFdPromise(file.fd, { lazyEntries: true, autoClose: false });
  const entries = await entriesOf(zip, (name) => properties.test(name) || (wantsText && texts.test(name)));
  let facts: Readonly<Record<string, string | number>> = {};
  let text = "";
  for (const entry of entries) {
    if (properties.test(entry.fileName)) facts = { ...propertiesIn(await partOf(zip, entry)), ...facts };
    else if (text.length < mostText) text += `${textIn(await partOf(zip, entry))}\n`;
  }
  return { facts, text };
};

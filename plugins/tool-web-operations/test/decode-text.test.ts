import { expect } from "chai";
import { decodeText } from "../page/decode-text.ts";
import { kindOf } from "../page/media-type.ts";

const text = "Köln – große Brücke";
const latin = Buffer.from("Köln \x96 große Brücke", "latin1");
const utf16 = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, "utf16le")]);
const bigEndian = Buffer.concat([Buffer.of(0xfe, 0xff), Buffer.from(text, "utf16le").swap16()]);
const meta = (label: string, bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`<meta charset="${label}">`), bytes]);
const xml = Buffer.concat([Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>'), latin]);
const japanese = Buffer.concat([
  Buffer.from('<meta http-equiv="content-type" content="text/html; charset=Shift_JIS">'),
  Buffer.of(0x93, 0xfa, 0x96, 0x7b),
]);

describe("decodeText", () => {
  for (const [name, type, bytes, expected] of [
    ["UTF-8 that is not said", "text/html", Buffer.from(text), text],
    ["what is no UTF-8 and not said", "text/html", latin, text],
    ["the header's word", "text/html; charset=ISO-8859-1", latin, text],
    ["the header's word in quotation marks", 'text/html; charset="windows-1252"; x=y', latin, text],
    ["the document's word", "text/html", meta("windows-1252", latin), text],
    ["an XML declaration", "text/xml", xml, text],
    ["a header that names no encoding", "text/html; charset=x-unheard-of", Buffer.from(text), text],
    [
      "a header that says UTF-8 wrongly, against the document",
      "text/html; charset=utf-8",
      meta("iso-8859-1", latin),
      text,
    ],
    [
      "a header that says UTF-8, but for one bad byte",
      "text/html; charset=utf-8",
      Buffer.from([0x61, 0xff, 0xc3, 0xb6]),
      "a\ufffdö",
    ],
    ["a header that is wrong, against the byte order mark", "text/html; charset=iso-8859-1", utf16, text],
    ["big-endian UTF-16", "text/html", bigEndian, text],
    ["UTF-8 with a mark", "text/html; charset=latin1", Buffer.from(`\ufeff${text}`), text],
    ["a document that says UTF-16 and cannot be", "text/html", meta("utf-16", Buffer.from(text)), text],
    ["Shift_JIS", "text/html", japanese, "日本"],
    [
      "the euro sign and quotation marks of windows-1252",
      "text/plain; charset=windows-1252",
      Buffer.of(0x80, 0x93, 0x94),
      "€“”",
    ],
    ["nothing", "text/html", Buffer.of(), ""],
  ] as const) {
    it(`reads ${name}`, () => {
      expect(decodeText(bytes, type).replace(/<[^>]*>/g, "")).to.equal(expected);
    });
  }
});

describe("kindOf", () => {
  for (const [type, start, kind] of [
    ["text/html; charset=utf-8", "x", "html"],
    ["application/xhtml+xml", "<?xml", "html"],
    ["", "\n <!DOCTYPE html>", "html"],
    ["application/octet-stream", "<html lang=en>", "html"],
    ["application/octet-stream", "plain", "text"],
    ["application/octet-stream", "\0\0", "other"],
    ["text/plain", "<html>", "text"],
    ["text/plain", "a\0b", "other"],
    ["text/plain; charset=utf-16le", "a\0b\0", "text"],
    ["application/problem+json", "{}", "text"],
    ["application/rss+xml", "<rss>", "text"],
    ["application/pdf", "%PDF", "other"],
    ["image/png", "x", "other"],
    ["image/svg+xml", "<svg>", "other"],
  ] as const) {
    it(`takes ${JSON.stringify(start)} of type "${type}" for ${kind}`, () => {
      expect(kindOf(type, Buffer.from(start))).to.equal(kind);
    });
  }
});

import { expect } from "chai";
import {
  declaredCharset,
  decodeBytes,
  decodeText,
  isBinary,
  markedEncoding,
  withoutCutCharacter,
} from "../index.ts";

const text = "Köln – große Brücke 日本 😀";
const little = Buffer.from(text, "utf16le");
const big = Buffer.from(text, "utf16le").swap16();
const marked = (mark: readonly number[], bytes: Uint8Array = Buffer.of()): Buffer =>
  Buffer.concat([Buffer.from(mark), bytes]);
const [utf8Mark, bigMark, littleMark] = [
  [0xef, 0xbb, 0xbf],
  [0xfe, 0xff],
  [0xff, 0xfe],
] as const;
const latin = Buffer.from("Caf\xe9 \x96 \x80", "latin1");

describe("markedEncoding", () => {
  for (const [name, bytes, encoding] of [
    ["the mark of UTF-8", marked(utf8Mark), "utf-8"],
    ["the mark of big-endian UTF-16", marked(bigMark), "utf-16be"],
    ["the mark of little-endian UTF-16", marked(littleMark), "utf-16le"],
    ["half a mark", Buffer.of(0xff), undefined],
    ["two thirds of a mark", Buffer.of(0xef, 0xbb), undefined],
    ["a mark that is not at the beginning", Buffer.of(0x20, 0xff, 0xfe), undefined],
    ["a mark of which one byte is another", Buffer.of(0xff, 0xff), undefined],
    ["nothing", Buffer.of(), undefined],
  ] as const)
    it(`reads ${name}`, () => {
      expect(markedEncoding(bytes)).to.equal(encoding);
    });
});

describe("decodeText", () => {
  for (const [name, bytes, labels, expected] of [
    ["UTF-8 without a label", Buffer.from(text), [], text],
    ["UTF-8 with its mark, which goes", marked(utf8Mark, Buffer.from(text)), [], text],
    ["little-endian UTF-16 by its mark", marked(littleMark, little), [], text],
    ["big-endian UTF-16 by its mark", marked(bigMark, big), [], text],
    ["a mark against a label", marked(bigMark, big), ["iso-8859-1"], text],
    ["a mark of UTF-8 against a label", marked(utf8Mark, Buffer.from(text)), ["utf-16le"], text],
    [
      "little-endian UTF-16 of an odd length",
      marked(littleMark, Buffer.from("a\0b", "latin1")),
      [],
      "a\ufffd",
    ],
    ["big-endian UTF-16 of an odd length", marked(bigMark, Buffer.from("\0ab", "latin1")), [], "a\ufffd"],
    ["nothing but a mark", marked(littleMark), [], ""],
    ["UTF-16 by a label", little, ["utf-16le"], text],
    ["what is no UTF-8, as windows-1252", latin, [], "Café – €"],
    ["latin1, as windows-1252", latin, ["ISO-8859-1"], "Café – €"],
    ["a wrong utf-8, as the next label", latin, ["utf-8", "windows-1252"], "Café – €"],
    ["a wrong utf-8 without another label", Buffer.of(0x61, 0xff), ["utf-8"], "a\ufffd"],
    ["an unknown label, as if it were not there", Buffer.from("ö"), ["x-none", undefined], "ö"],
    ["the first label that is known", Buffer.of(0x93, 0xfa), ["x-none", "shift_jis", "utf-16le"], "日"],
  ] as const)
    it(`reads ${name}`, () => {
      expect(decodeText(bytes, ...labels)).to.equal(expected);
    });
});

describe("decodeBytes", () => {
  it("takes windows-1252 for a label that it does not know", () => {
    expect(decodeBytes(latin, "x-none")).to.equal("Café – €");
  });

  it("reads an old code page", () => {
    expect(decodeBytes(Buffer.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2), "windows-1251")).to.equal("Привет");
  });
});

describe("declaredCharset", () => {
  for (const [document, charset] of [
    ['<meta charset="windows-1251">', "windows-1251"],
    ["<META charset=Shift_JIS>", "shift_jis"],
    ['<meta http-equiv="content-type" content="text/html; charset=iso-8859-2">', "iso-8859-2"],
    ['<?xml version="1.0" encoding="koi8-r"?>', "koi8-r"],
    ['<meta charset="utf-16">', "utf-8"],
    ['<meta charset="x-none">', undefined],
    ["<p>charset=koi8-r</p>", undefined],
    [`${" ".repeat(4100)}<meta charset="koi8-r">`, undefined],
  ] as const)
    it(`finds ${charset ?? "nothing"} in ${document.trim()}`, () => {
      expect(declaredCharset(Buffer.from(document))).to.equal(charset);
    });
});

describe("isBinary", () => {
  for (const [name, bytes, expected] of [
    ["text", Buffer.from(text), false],
    ["a NUL", Buffer.from("a\0b"), true],
    ["UTF-16 with its mark", marked(littleMark, Buffer.from("a", "utf16le")), false],
    ["big-endian UTF-16 with its mark", marked(bigMark, Buffer.of(0, 0x61)), false],
    ["UTF-16 without a mark", Buffer.from("a", "utf16le"), true],
    ["a NUL behind the mark of UTF-8", marked(utf8Mark, Buffer.of(0)), true],
    ["a NUL far from the beginning", Buffer.concat([Buffer.alloc(8192, 0x61), Buffer.of(0)]), false],
    ["nothing", Buffer.of(), false],
  ] as const)
    it(`says ${expected ? "yes" : "no"} to ${name}`, () => {
      expect(isBinary(bytes)).to.equal(expected);
    });
});

describe("withoutCutCharacter", () => {
  for (const character of ["ö", "日", "😀"])
    it(`takes nothing but a part of ${character}`, () => {
      const bytes = Buffer.from(`a${character}`);
      for (let length = 1; length <= bytes.length; length += 1) {
        const whole = Buffer.from(withoutCutCharacter(bytes.subarray(0, length))).toString();
        expect(whole).to.equal(length === bytes.length ? `a${character}` : "a");
      }
    });

  it("leaves what is no UTF-8", () => {
    expect([...withoutCutCharacter(Buffer.of(0x80, 0x81))]).to.deep.equal([0x80, 0x81]);
    expect(withoutCutCharacter(Buffer.of())).to.have.length(0);
  });
});

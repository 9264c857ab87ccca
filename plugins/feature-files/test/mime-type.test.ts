import { expect } from "chai";
import { mimeTypeOf } from "../mime-type.ts";

describe("the type that a file is sent with", () => {
  const types: readonly (readonly [string, string])[] = [
    ["photo.PNG", "image/png"],
    ["a.b/scan.jpeg", "image/jpeg"],
    ["notes.md", "text/plain; charset=utf-8"],
    ["data.json", "text/plain; charset=utf-8"],
  ];
  for (const [name, type] of types)
    it(`${name}: ${type}`, () => {
      expect(mimeTypeOf(name)).to.equal(type);
    });

  for (const name of [
    "page.html",
    "page.xhtml",
    "drawing.svg",
    "feed.xml",
    "code.js",
    "book.pdf",
    "Makefile",
    ".png",
  ])
    it(`${name}: bytes, for a browser would act on it or knows no more`, () => {
      expect(mimeTypeOf(name)).to.equal("application/octet-stream");
    });
});

import { expect } from "chai";
import { indexes } from "../service/indexes.ts";
import { docx, pdf } from "./documents.ts";
import { scene, type Scene } from "./scene.ts";

describe("system_search.search_content", () => {
  let at: Scene;

  before(() => {
    at = scene({
      "one.txt": "The rental contract of the house by the sea",
      "two.md": "# House rules\ncontract first, rental second, a house",
      "latin.txt": Buffer.from("caf\u00e9 cr\u00e8me", "latin1"),
      "wide.txt": Buffer.from("\ufeffsixteen bits wide", "utf16le"),
      "japanese.txt": "今日は東京で写真を撮りました",
      "binary.dat": Buffer.from([0, 1, 2, 114, 101, 110, 116, 97, 108]),
      "letter.docx": docx({ title: "Offer", author: "Ada Byron", text: ["An ele", "phant arrives"] }),
      "paper.pdf": pdf({ title: "On Ferns", author: "B. Fern", pages: ["chlorophyll one", "stomata two"] }),
      "huge.log": `begin ${"filler ".repeat(200_000)} ending`,
      "passwords.txt": "rental hunter2",
      "house.pem": "rental key",
    });
  });

  after(() => indexes.close());

  for (const [query, names] of [
    ["rental contract", ["one.txt", "two.md"]],
    ['"rental contract"', ["one.txt"]],
    ["CONTR*", ["one.txt", "two.md"]],
    ["cafe creme", ["latin.txt"]],
    ["sixteen wide", ["wide.txt"]],
    ["東京", ["japanese.txt"]],
    ["elephant arrives", ["letter.docx"]],
    ["chlorophyll stomata", ["paper.pdf"]],
    ["filler begin", ["huge.log"]],
    ["ending", []],
    ["hunter2", []],
    ["nowhere", []],
  ] as const) {
    it(`finds ${names.join(" and ") || "nothing"} by ${query}`, async () => {
      expect(await at.names("search_content", { query })).to.have.members(names);
    });
  }

  it("does not find by what only the name or the header says", async () => {
    expect(await at.names("search_content", { query: "byron" })).to.deep.equal([]);
    expect(await at.names("search", { query: "byron" })).to.deep.equal(["letter.docx"]);
  });

  it("knows files with keys and passwords by name only", async () => {
    expect(await at.names("search", { query: "passwords" })).to.deep.equal(["passwords.txt"]);
    expect(await at.names("search_content", { query: "rental" })).to.have.members(["one.txt", "two.md"]);
  });
});

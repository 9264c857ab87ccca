import path from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { fileNameOf, sameTitle, titleOfFile, titleOfFolder } from "../file-name.ts";
import { notebook } from "./notebook.ts";

const names = [
  ["Shopping list", "Shopping list.md"],
  ["Käse & Brot", "Käse & Brot.md"],
  ["AC/DC", "AC%2FDC.md"],
  ["../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd.md"],
  ["/etc/passwd", "%2Fetc%2Fpasswd.md"],
  ["C:\\Users", "C%3A%5CUsers.md"],
  ["..", "%2E%2E.md"],
  [".hidden", "%2Ehidden.md"],
  ["100 % sure", "100 %25 sure.md"],
  ["a\0b\nc", "a%00b%0Ac.md"],
  ["txt.\u202Egpj", "txt.%E2%80%AEgpj.md"],
  ["con", "%63on.md"],
  ["NUL.txt", "%4EUL.txt.md"],
  ["console", "console.md"],
  ["~/notes", "~%2Fnotes.md"],
  ["  spaced  ", "spaced.md"],
  ["😀", "😀.md"],
] as const;

describe("the name of a note's file", () => {
  for (const [title, name] of names)
    it(`${JSON.stringify(title)} is ${name}`, () => expect(fileNameOf(title)).to.equal(name));

  it("is one segment of a path, visible, and leads back to its title, whatever that is", () => {
    const titles = fc
      .string({ unit: "binary", minLength: 1, maxLength: 60 })
      .filter((title) => title.trim() !== "");
    fc.assert(
      fc.property(titles, (title) => {
        const name = fileNameOf(title);
        expect([path.basename(name), path.win32.basename(name)]).to.deep.equal([name, name]);
        expect(/^\.|\0/.test(name)).to.equal(false);
        expect(titleOfFile(name)).to.equal(title.normalize("NFC").trim());
      }),
      { numRuns: 500 },
    );
  });

  it("leaves alone what others wrote that is no encoding", () => {
    expect(titleOfFile("100%.md")).to.equal("100%");
    expect(titleOfFile("50%ff off.MD")).to.equal("50%ff off");
    expect(titleOfFile("picture.png")).to.equal(undefined);
    expect(titleOfFolder("R%26D")).to.equal("R&D");
  });

  it("is found in another case and with accents encoded otherwise", () => {
    expect(sameTitle("CAFE\u0301", "café")).to.equal(true);
    expect(sameTitle("cafe", "café")).to.equal(false);
  });

  for (const [title, problem] of [
    [" \n", "blank"],
    ["x".repeat(253), "too long"],
    ["ü".repeat(127), "too long"],
  ] as const) {
    it(`is refused when the title is ${problem} (${title.length} characters)`, async () => {
      const { failure, names: files } = notebook();
      const { code, message, hint } = await failure("create_note", { title, body: "" });
      expect([code, hint !== ""]).to.deep.equal(["invalid_value", true]);
      expect(message).to.contain(problem);
      expect(files()).to.deep.equal([]);
    });
  }

  it("may be as long as a file system allows", async () => {
    const { run, names: files } = notebook();
    await run("create_note", { title: "x".repeat(252), body: "" });
    expect(files()).to.deep.equal([`${"x".repeat(252)}.md`]);
  });
});

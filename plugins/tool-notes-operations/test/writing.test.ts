import { expect } from "chai";
import { notebook } from "./notebook.ts";

describe("writing notes", () => {
  it("makes the store and the folder with the first note", async () => {
    const { data, text, names } = notebook();
    expect(await data("create_note", { title: "AC/DC", body: "Loud", folder: "Rock/Pop" })).to.equal(
      'Created the note "AC/DC" in the folder "Rock/Pop".',
    );
    expect(names()).to.deep.equal(["Rock%2FPop"]);
    expect(text("Rock%2FPop/AC%2FDC.md")).to.equal("Loud");
    expect(await data("get_note", { note_name: "AC/DC", folder: "rock/pop" })).to.match(
      /^Name: AC\/DC\nFolder: Rock\/Pop\n/,
    );
  });

  for (const title of ["Plan", "plan", " Plan "]) {
    it(`refuses the taken name "${title}" in that folder, and changes nothing`, async () => {
      const { failure, text, names } = notebook({ "Work/Plan.md": "old" });
      const { code, hint } = await failure("create_note", { title, body: "new", folder: "WORK" });
      expect(code).to.equal("conflict");
      expect(hint).to.contain("append_note");
      expect([text("Work/Plan.md"), names("Work")]).to.deep.equal(["old", ["Plan.md"]]);
    });
  }

  it("takes a name that is taken in another folder", async () => {
    const { run, text } = notebook({ "Work/Plan.md": "old" });
    await run("create_note", { title: "Plan", body: "new" });
    await run("create_note", { title: "Plan", body: "newer", folder: "Home" });
    expect([text("Work/Plan.md"), text("Plan.md"), text("Home/Plan.md")]).to.deep.equal([
      "old",
      "new",
      "newer",
    ]);
  });

  it("gives a name to one of two that want it at once", async () => {
    const { run, names } = notebook();
    const ends = await Promise.allSettled(
      ["Plan", "plan"].map((title) => run("create_note", { title, body: title })),
    );
    expect(ends.map(({ status }) => status)).to.deep.equal(["fulfilled", "rejected"]);
    expect(names()).to.deep.equal(["Plan.md"]);
  });

  it("adds on a line of its own, and leaves every other byte as it was", async () => {
    const latin1 = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
    const { run, at, text, context } = notebook({ "A.md": latin1, "B.md": "one\n", "C.md": "" });
    for (const note of ["A", "b", "C"]) await run("append_note", { note_name: note, text: "two" });
    expect(Buffer.from(await context.files.read(at("A.md")))).to.deep.equal(
      Buffer.concat([latin1, Buffer.from("\ntwo")]),
    );
    expect([text("B.md"), text("C.md")]).to.deep.equal(["one\ntwo", "two"]);
  });

  it("loses none of many additions at once", async () => {
    const { run, text } = notebook({ "A.md": "" });
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    await Promise.all(lines.map((line) => run("append_note", { note_name: "A", text: line })));
    expect(text("A.md").split("\n")).to.deep.equal(lines);
  });

  it("does not add to a note that is not there", async () => {
    const { failure, names } = notebook({ "A.md": "" });
    expect((await failure("append_note", { note_name: "../A", text: "x" })).code).to.equal("not_found");
    expect(names()).to.deep.equal(["A.md"]);
  });

  it("says after a crash what became of a note", async () => {
    const { run, outcome, put } = notebook();
    const args = { title: "Plan", body: "text", folder: "Work" };
    expect(await outcome("create_note", args)).to.equal("did_not_happen");
    await run("create_note", args);
    expect(await outcome("create_note", args)).to.equal("happened");
    put("Work/Plan.md", "changed since");
    expect(await outcome("create_note", args)).to.equal("unknown");
    expect(await outcome("append_note", { note_name: "Plan", text: "more" })).to.equal("did_not_happen");
    expect(await outcome("append_note", { note_name: "Plan", text: "since" })).to.equal("unknown");
  });
});

import { symlinkSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { notebook } from "./notebook.ts";

const files = {
  "Old.md": "# Plan\n\nBuy a *tent* for the summer.",
  "Work/Agenda.md": "Budget and hiring",
  "Work/Budget.md": "Numbers",
  "Home/Café.md": "Opens at nine; the crème is good",
} as const;

describe("reading notes", () => {
  it("finds nothing, and makes nothing, while there is no folder", async () => {
    const { data, names, root } = notebook();
    expect(await data("list_notes")).to.equal("There are no notes.");
    expect(await data("search", { query: "x" })).to.equal("No note matches.");
    expect(await data("list_folders")).to.equal("In no folder: 0 notes");
    expect(names(path.relative(root, path.dirname(root)))).to.deep.equal([]);
  });

  it("lists the newest first, up to a number, and says how many there are", async () => {
    const { run } = notebook(files);
    const { data, message } = await run("list_notes", { max_results: 2 });
    expect(data).to.equal(
      "- Café (folder: Home), modified 2023-11-14T22:13:23Z\n- Budget (folder: Work), modified 2023-11-14T22:13:22Z",
    );
    expect(message).to.equal("The first 2 of 4 notes.");
  });

  it("lists one folder, whatever the case of its name", async () => {
    const { run } = notebook(files);
    const { data, message } = await run("list_notes", { folder: "work" });
    expect(data).to.match(/^- Budget .*\n- Agenda .*$/);
    expect(message).to.equal("2 notes.");
  });

  it("lists the folders with how much is in them", async () => {
    expect(await notebook(files).data("list_folders")).to.equal(
      "- Home: 1 note\n- Work: 2 notes\nIn no folder: 1 note",
    );
  });

  it("gives a note with its times and its text as it is", async () => {
    const { data, context } = notebook(files);
    const text = await data("get_note", { note_name: "old" });
    const created = /^Created: (\S+)$/m.exec(text)?.[1] ?? "";
    expect(new Date(created).getFullYear()).to.be.greaterThan(2020);
    expect(text.replace(created, "…")).to.equal(
      "Name: Old\nCreated: …\nModified: 2023-11-14T22:13:20Z\n\n# Plan\n\nBuy a *tent* for the summer.",
    );
    expect(context.questions).to.deep.equal([]);
  });

  it("searches titles and texts for all words, titles first, without regard to case and accents", async () => {
    const { run, data } = notebook(files);
    const { data: found, message } = await run("search", { query: "BUDGET" });
    expect(found).to.match(/^- Budget .*\n {2}Numbers\n- Agenda .*\n {2}Budget and hiring$/);
    expect(message).to.equal("2 notes.");
    expect(await data("search", { query: "cafe creme" })).to.match(/^- Café \(folder: Home\)/);
    expect(await data("search", { query: "cafe tent" })).to.equal("No note matches.");
    expect(await data("search", { query: "budget", folder: "Home" })).to.equal("No note matches.");
  });

  it("previews 200 characters from a little before what was found", async () => {
    const { data } = notebook({ "Long.md": `${"a ".repeat(300)}needle ${"😀".repeat(300)}` });
    const preview = (await data("search", { query: "needle" })).split("\n  ")[1] ?? "";
    expect([...preview]).to.have.length(200);
    expect(preview.indexOf("needle")).to.equal(40);
    expect(/\p{Cs}/u.test(preview)).to.equal(false);
  });

  it("prefers the exact name, then the note in no folder; else it asks for the folder", async () => {
    const { data, failure } = notebook({
      "A/Plan.md": "1",
      "B/Plan.md": "2",
      "A/plan.md": "3",
      "C/Ideas.md": "4",
      "Ideas.md": "5",
    });
    const { code, message, hint } = await failure("get_note", { note_name: "Plan" });
    expect([code, message, hint]).to.deep.equal([
      "ambiguous_match",
      '2 notes are called "Plan", in "A", "B".',
      "Name the folder.",
    ]);
    expect(await data("get_note", { note_name: "plan" })).to.match(/3$/);
    expect(await data("get_note", { note_name: "Plan", folder: "B" })).to.match(/2$/);
    expect(await data("get_note", { note_name: "Ideas" })).to.match(/5$/);
  });

  it("names close notes and the folders there are when nothing has the name", async () => {
    const { failure } = notebook(files);
    expect((await failure("get_note", { note_name: "Agendas" })).hint).to.equal('Close to it: "Agenda".');
    const { code, hint } = await failure("list_notes", { folder: "Wrok" });
    expect([code, hint]).to.deep.equal(["not_found", 'Folders: "Home", "Work".']);
  });

  for (const name of ["../secret", "..", "/etc/passwd", "Work/Agenda", "~/x", "Work/../../secret"]) {
    it(`takes "${name}" as a name, never as a path`, async () => {
      const { failure, put } = notebook(files);
      put("../secret.md", "secret");
      expect((await failure("get_note", { note_name: name })).code).to.equal("not_found");
      expect((await failure("list_notes", { folder: name })).code).to.equal("not_found");
    });
  }

  it("does not follow links out, and leaves out what is hidden or no note", async () => {
    const { at, put, data } = notebook({ "A.md": "x", ".B.md": "x", "C.txt": "x", ".git/D.md": "x" });
    const outside = temporaryFolder();
    put(path.relative(at(""), path.join(outside, "E.md")), "secret x");
    symlinkSync(path.join(outside, "E.md"), at("E.md"));
    symlinkSync(outside, at("F"));
    expect(await data("list_notes")).to.match(/^- A, \S+ \S+$/);
    expect(await data("list_folders")).to.equal("In no folder: 1 note");
    expect(await data("search", { query: "secret" })).to.equal("No note matches.");
  });

  it("works where the folder itself is a link", async () => {
    const link = path.join(temporaryFolder(), "notes");
    symlinkSync(notebook(files).root, link);
    expect(await notebook({}, link).data("get_note", { note_name: "Agenda" })).to.match(/Budget and hiring$/);
  });

  it("refuses a note above 8 MiB, and searches its first MiB", async () => {
    const { failure, data } = notebook({ "Big.md": `needle ${"x".repeat(2 ** 23)} thread` });
    expect((await failure("get_note", { note_name: "Big" })).message).to.contain("8 MiB");
    expect(await data("search", { query: "needle" })).to.match(/^- Big/);
    expect(await data("search", { query: "thread" })).to.equal("No note matches.");
  });

  it("stops a search when the call is cancelled", async () => {
    const { run } = notebook(files);
    const error: unknown = await run(
      "search",
      { query: "x" },
      { signal: AbortSignal.abort(new Error("stop")) },
    ).catch((e: unknown) => e);
    expect(error).to.have.property("message", "stop");
  });
});

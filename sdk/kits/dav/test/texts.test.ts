import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import {
  lineEndOf,
  markdownEntry,
  matchWords,
  oneLine,
  removeControlCharacters,
  TextFolder,
  uidForCall,
  uidFromText,
} from "@pergola/kit-dav";
import { countOf } from "@pergola/sdk";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";

describe("TextFolder", () => {
  function folderWith(files: Readonly<Record<string, string>>): {
    readonly texts: TextFolder;
    readonly folder: string;
  } {
    const workingDirectory = temporaryFolder("pergola-dav-");
    const folder = path.join(workingDirectory, "texts");
    if (Object.keys(files).length > 0) mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    return { texts: new TextFolder(toolContext({ workingDirectory }).files, folder, ".ics"), folder };
  }

  it("lists visible files with its extension in any case, and none without a folder", async () => {
    const { texts, folder } = folderWith({
      "a.ics": "",
      "B.ICS": "",
      ".c.ics": "",
      "d.txt": "",
      "e.ics.bak": "",
    });
    mkdirSync(path.join(folder, "f.ics"));
    expect([...(await texts.names())].toSorted()).to.deep.equal(["B.ICS", "a.ics"]);
    expect(await folderWith({}).texts.names()).to.deep.equal([]);
  });

  it("creates the folder with the first file", async () => {
    const { texts, folder } = folderWith({});
    await texts.change(texts.pathOf("a.ics"), (text) => `${text}!`, "new");
    await texts.create("b.ics", "b");
    expect(readdirSync(folder)).to.have.members(["a.ics", "b.ics"]);
    expect(readFileSync(path.join(folder, "a.ics"), "utf8")).to.equal("new!");
  });

  it("makes concurrent changes one after the other", async () => {
    const { texts } = folderWith({ "a.ics": "" });
    const place = texts.pathOf("a.ics");
    const letters = [..."abcdefgh"];
    await Promise.all(letters.map((letter) => texts.change(place, async (text) => text + letter)));
    expect(await texts.read(place)).to.equal(letters.join(""));
  });

  it("writes nothing when the edit fails or changes nothing", async () => {
    const { texts, folder } = folderWith({});
    const place = texts.pathOf("a.ics");
    await texts.change(place, (text) => text, "initial");
    const failure = await texts.change(place, () => Promise.reject(new Error("no"))).catch(String);
    expect(failure).to.equal("Error: no");
    expect(() => readdirSync(folder)).to.throw("ENOENT");
  });
});

describe("UIDs", () => {
  const call = { conversationId: "c", callId: "1" };

  it("are the same for the same call, and differ between calls and conversations", () => {
    expect(uidForCall(call)).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(uidForCall({ ...call })).to.equal(uidForCall(call));
    const others = [{ ...call, callId: "2" }, { ...call, conversationId: "d" }, call].map(uidForCall);
    expect(new Set(others).size).to.equal(3);
  });

  it("of texts ignore blanks at the end", () => {
    expect(uidFromText("a\r\n")).to.equal(uidFromText("a"));
    expect(uidFromText("b")).not.to.equal(uidFromText("a"));
  });
});

describe("texts", () => {
  it("keep their line break", () => {
    expect([lineEndOf("a\nb\r\n"), lineEndOf("a\r\nb\n"), lineEndOf("a")]).to.deep.equal([
      "\n",
      "\r\n",
      "\r\n",
    ]);
  });

  it("lose control characters, but not line breaks and tabs", () => {
    expect(removeControlCharacters("a\r\nb\rc\td\u0000\u001b")).to.equal("a\nb\nc\td");
  });

  it("become entries that cannot pretend to be more than one", () => {
    expect(oneLine(" a\r\n\u0000b ")).to.equal("a b");
    expect(markdownEntry("T\n### U", { A: "1\n- B: 2", C: " ", D: undefined })).to.equal(
      "### T ### U\n- A: 1 - B: 2",
    );
  });

  it("are counted", () => {
    expect([countOf(1, "event"), countOf(0, "event")]).to.deep.equal(["1 event", "0 events"]);
  });

  it("match by words in any order, case and accent", () => {
    const matches = matchWords("zoe  MÜLLER");
    expect([matches(["Müller", "Zoë"]), matches(["Zoë"]), matchWords("")(["a"])]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });
});

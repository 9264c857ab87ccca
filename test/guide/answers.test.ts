import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { startTestHost, temporaryFolder, type TestHost } from "@pergola/sdk/testing";

interface Answer {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly service_metadata: { readonly workflow: { readonly iterations: number } };
}

describe("what the guide answers on a real host", function () {
  this.timeout(120_000);
  let host: TestHost;
  let folder: string;
  const file = (name: string): string => path.join(folder, name);
  before(async () => {
    host = await startTestHost({});
    folder = temporaryFolder();
    execFileSync("git", ["init", "-q"], { cwd: folder });
    writeFileSync(file("intro.md"), "as it was\n");
    writeFileSync(file("four.txt"), "a\nb\nc\nd\n");
    mkdirSync(file("docs"));
  });
  after(() => host.stop());

  const answerTo = async (content: string): Promise<Answer> => {
    const { body } = await host.json<Answer>("POST", "/api/chat/completions", {
      model: "embedded/guide",
      messages: [{ role: "user", content }],
      service_config: { working_directory: folder },
    });
    return body;
  };
  const say = async (content: string): Promise<string> =>
    (await answerTo(content)).choices[0]!.message.content;

  it("G1: a receipt says what was stored, and a status lists new files", async () => {
    const stored = await say("remember that I prefer tea over coffee");
    expect(stored)
      .to.match(/Stored|Remembered/)
      .and.not.include("Nothing was found");
    expect(await say("git status"))
      .to.include("untracked (2)")
      .and.include("  - intro.md");
  });

  it("G3: half a sentence changes nothing", async () => {
    for (const half of ["put a file intro.md with the text Hi into the folder docs", "forget about my dog"])
      expect(await say(half)).to.match(/^I am not certain what you mean/);
    expect(readFileSync(file("intro.md"), "utf8")).to.equal("as it was\n");
    expect(existsSync(file("docs/intro.md"))).to.equal(false);
    const { body } = await host.json<{ readonly approvals: readonly object[] }>("GET", "/api/approvals");
    expect(body.approvals).to.deep.equal([]);
  });

  it("G4: it is not reminded of open to-dos, which it cannot work on", async () => {
    const { choices, service_metadata: metadata } = await answerTo("add buy milk to my todo list");
    expect(choices[0]?.message.content).to.match(/^Added 1 to-do\.\s+- added \(1\):\s+- Buy milk \(id 1\)$/);
    expect(metadata.workflow.iterations).to.equal(2);
  });

  it("G5: a day that it has no example for is asked about, not answered with other days", async () => {
    expect(await say("what is in my calendar on 2026-12-04?")).to.match(/^I am not certain what you mean/);
  });

  it("G7: it calculates what is asked in symbols", async () => {
    expect(await say("What is 12*12?")).to.include("= 144");
  });

  it("G9: a file has the same number of lines in every answer", async () => {
    for (const question of ["how big is four.txt?", "get document info for four.txt"])
      expect(await say(question)).to.include("line count: 4");
    expect(await say("read four.txt")).to.include("Lines 1 to 4 of 4.");
  });

  it("G10: a raised limit is told", async () => {
    expect(await say("allow 500 iterations for this run, there is a lot to do")).to.match(
      /^The limit of this run is now 500 iterations\./,
    );
  });
});

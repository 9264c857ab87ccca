import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { playAtTerminal } from "../../support/at-terminal.ts";
import { openProject, type Project } from "../../support/pergola.ts";

const [up, , enter, interrupt, leave] = ["\u001b[A", "\u001b[B", "\r", "\u0003", "\u0004"];

describe("pergola at a terminal", function () {
  this.timeout(40_000);
  let project: Project;
  let victim: string;
  beforeEach(async () => {
    project = await openProject();
    victim = path.join(project.folder, "victim.txt");
    writeFileSync(victim, "x");
  });
  afterEach(() => project.close());

  const play = (words: readonly string[], steps: Parameters<typeof playAtTerminal>[2]) =>
    playAtTerminal(project, words, steps);

  it("leaves at Ctrl-D what asks for a text", async () => {
    const { code, screen } = await play(["secrets", "set", "NAME"], [["The secret NAME", leave]]);
    expect(code, screen).to.equal(130);
  });

  it("stops an answer at Ctrl-C and goes on; while nothing runs Ctrl-C leaves", async () => {
    project.model.play([chatReply([{ text: "I begin" }, { hang: true }]), chatReply({ text: "Fine." })]);
    const { code } = await play(
      ["chat"],
      [
        ["> ", `go${enter}`],
        ["I begin", interrupt],
        ["Stopped.", ""],
        ["> ", `again${enter}`],
        ["Fine.", ""],
        ["> ", interrupt],
      ],
    );
    expect(code).to.equal(130);
    expect(project.model.requests).to.have.length(2);
  });

  it("clears at Ctrl-C what is being written, in several lines as well, and goes on", async () => {
    project.model.play(chatReply({ text: "Fine." }));
    const { code, screen } = await play(
      ["chat"],
      [
        ["> ", "half a line"],
        ["half a line", interrupt],
        ["> ", `first\\${enter}`],
        ["… ", `second${interrupt}`],
        ["> ", `whole${enter}`],
        ["Fine.", ""],
        ["> ", leave],
      ],
    );
    expect(code, screen).to.equal(0);
    expect(project.model.requests).to.have.length(1);
    expect(project.model.requests[0]?.text)
      .to.include('"whole\\n')
      .and.not.match(/half a line|second/);
  });

  it("P9: shows Markdown, wraps between words, and shows each edit as what goes and what comes", async () => {
    const edit = {
      operation: "replace_string",
      filePath: path.join(path.dirname(project.folder), "outside.txt"),
      oldString: "milk",
      newString: "bread",
    };
    writeFileSync(edit.filePath, "milk");
    const words = "word ".repeat(60).trim();
    project.model.play([
      chatReply({ toolCalls: [{ name: "file_operations", arguments: edit }] }),
      chatReply([
        { text: "**Do" },
        { text: `ne.**\n\n${words}\n\n- [x] o` },
        { text: "ne\n- two\n\n| a | b |\n|---|---|\n| 1 | 22 |\n" },
      ]),
    ]);
    const { screen } = await play(
      ["chat"],
      [
        ["> ", `edit it${enter}`],
        ["Enter confirms.", `y${enter}`],
        ["22", ""],
        ["> ", leave],
      ],
    );
    expect(screen).to.match(/ {2}modified \S+outside\.txt \+1 -1\n {4}@@ -1,1 \+1,1 @@\n {4}-milk\n/);
    expect(screen).to.include("    +bread\n");
    const named = screen.match(/(?<![\u2800-\u28ff] )file_operations\.replace_string/g);
    expect(named, screen).to.have.length(2);
    expect(screen).to.include(`Done.\n\n${"word ".repeat(20).trim()}\nword`);
    expect(screen).to.match(/• \[x\] one\n• two\n\na {2}b\n─+\n1 {2}22\n/);
    expect(screen)
      .to.include("model custom/test")
      .and.match(/pergola chat --conversation [0-9a-f-]{36}\n/);
  });

  it("wraps for the window as it is when it is made narrower, or wider again", async () => {
    const words = "word ".repeat(30).trim();
    const line = (count: number): string => `\n${"word ".repeat(count).trim()}\n`;
    project.model.play(["One.", "Two.", "Three."].map((text) => chatReply({ text: `${text}\n\n${words}` })));
    const { code, screen } = await play(
      ["chat"],
      [
        ["> ", `first${enter}`],
        ["context", "", 40],
        ["> ", `second${enter}`],
        ["context", "", 60],
        ["> ", `third${enter}`],
        ["> ", leave],
      ],
    );
    expect(code, screen).to.equal(0);
    const [, one = "", two = "", three = ""] = screen.split(/One\.|Two\.|Three\./);
    expect([one.includes(line(20)), two.includes(line(8)), three.includes(line(12))]).to.deep.equal([
      true,
      true,
      true,
    ]);
  });

  it("wraps its own lists between words too", async () => {
    project.model.play([chatReply({ text: "One." })]);
    const { screen } = await play(
      ["chat"],
      [
        ["> ", `first${enter}`],
        ["context", "", 50],
        ["> ", `/help${enter}`],
        ["goes to the model.", ""],
        ["> ", leave],
      ],
    );
    expect(screen).to.match(/\nThe arrow keys bring earlier lines back, of ?\n ?earlier chats as well/);
  });

  it("P5: has commands of its own, listed by /help, which do not reach the model", async () => {
    project.model.play([chatReply({ text: "First." }), chatReply({ text: "Second." })]);
    const { code, screen } = await play(
      ["chat"],
      [
        ["> ", `/help${enter}`],
        ["/quit", ""],
        ["> ", `/hepl${enter}`],
        ["/help lists the commands.", ""],
        ["> ", `/mod\t${enter}`],
        ["* custom/test", ""],
        ["> ", `/model test${enter}`],
        ["comes from custom/test.", ""],
        ["> ", `one${enter}`],
        ["First.", ""],
        ["> ", `/new${enter}`],
        ["> ", `/etc/hosts is a path${enter}`],
        ["Second.", ""],
        ["> ", `/open${enter}`],
        ["To go on with one:", ""],
        ["> ", `/undo${enter}`],
        ["nothing to undo", ""],
        ["> ", `/tools${enter}`],
        ["version_control", ""],
        ["> ", `quit${enter}`],
      ],
    );
    expect(code, screen).to.equal(0);
    expect(project.model.requests).to.have.length(2);
    expect(JSON.stringify((await project.model.request(1)).body))
      .to.include("/etc/hosts is a path")
      .and.not.include("First.");
  });

  it("sends what is pasted as one message, with its line breaks and tabs", async () => {
    project.model.play([chatReply({ text: "Thanks." })]);
    const pasted = "\u001b[200~first\tline\rsecond line\r/help\u001b[201~";
    await play(
      ["chat"],
      [
        ["> ", pasted],
        ["/help", enter],
        ["Thanks.", ""],
        ["> ", leave],
      ],
    );
    const { messages } = project.model.requests[0]?.body as {
      messages: { readonly role: string; readonly content: string }[];
    };
    const said = messages.filter(({ role }) => role === "user").map(({ content }) => content);
    expect(said).to.have.length(1);
    expect(said[0]).to.match(/^first\tline\nsecond line\n\/help\n/);
  });

  it("sends lines that end with a backslash as one message, and brings an earlier one back", async () => {
    project.model.play([chatReply({ text: "Thanks." }), chatReply({ text: "Again." })]);
    await play(
      ["chat"],
      [
        ["> ", `first\\${enter}`],
        ["… ", `C:\\\\${enter}`],
        ["Thanks.", ""],
        ["> ", `${up}${up}${enter}`],
        ["… ", `last${enter}`],
        ["Again.", ""],
        ["> ", leave],
      ],
    );
    const said = project.model.requests.map(({ body }) => {
      const { messages } = body as { messages: { readonly role: string; readonly content: string }[] };
      return messages.findLast(({ role }) => role === "user")?.content;
    });
    expect(said).to.have.length(2);
    expect(said[0]).to.match(/^first\nC:\\\\\n/);
    expect(said[1]).to.match(/^first\nlast\n/);
  });

  it("P5: goes on with the last conversation, and shows where it was", async () => {
    project.model.play([chatReply({ text: "First." }), chatReply({ text: "Second." })]);
    await project.run(["run", "one"]);
    const { code, screen } = await play(
      ["chat", "--continue"],
      [
        ["First.", ""],
        ["> ", `two${enter}`],
        ["Second.", ""],
        ["> ", `/exit${enter}`],
      ],
    );
    expect([code, screen.includes("> one\n")], screen).to.deep.equal([0, true]);
    expect(JSON.stringify((await project.model.request(1)).body)).to.include("First.");
  });
});

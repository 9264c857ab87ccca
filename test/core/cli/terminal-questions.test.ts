import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { playAtTerminal } from "../../support/at-terminal.ts";
import { openProject, type Project } from "../../support/pergola.ts";

const [, down, enter, interrupt, leave] = ["\u001b[A", "\u001b[B", "\r", "\u0003", "\u0004"];

describe("questions at a terminal", function () {
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
  const deletes = (reply: string) => [
    chatReply({
      toolCalls: [
        { name: "file_operations", arguments: { operation: "delete_file", filePath: "victim.txt" } },
      ],
    }),
    chatReply({ text: reply }),
  ];

  it("shows a call that needs an approval in full, and makes it after a yes", async () => {
    project.model.play(deletes("It is gone."));
    const { code, screen } = await play(
      ["chat"],
      [
        ["> ", `delete it${enter}`],
        ["Allow it?", down + down + enter],
        ["It is gone.", ""],
        ["> ", leave],
      ],
    );
    expect(code).to.equal(0);
    expect(screen)
      .to.include("file_operations.delete_file")
      .and.include(`deleted ${victim}`)
      .and.include("✓ file_operations.delete_file")
      .and.match(/^custom\/test · [\d,]+ tokens · context [1-9]\d? %$/m);
    expect(existsSync(victim)).to.equal(false);
  });

  it("P6: takes y and Enter for yes, and a letter alone for nothing", async () => {
    project.model.play(deletes("It is gone."));
    const { code, screen } = await play(
      ["chat"],
      [
        ["> ", `delete it${enter}`],
        ["Enter confirms.", "a"],
        ["● a", "n"],
        ["● n", "y"],
        ["● y", enter],
        ["It is gone.", ""],
        ["> ", leave],
      ],
    );
    expect([code, existsSync(victim)], screen).to.deep.equal([0, false]);
  });

  it("P6: takes n and Enter for no", async () => {
    project.model.play(deletes("As you like."));
    const { code } = await play(
      ["run", "delete it"],
      [
        ["Enter confirms.", `yn${enter}`],
        ["As you like.", ""],
      ],
    );
    expect([code, existsSync(victim)]).to.deep.equal([0, true]);
  });

  it("takes the Enter key alone for no", async () => {
    project.model.play(deletes("As you like."));
    const { code } = await play(
      ["chat"],
      [
        ["> ", `delete it${enter}`],
        ["Allow it?", enter],
        ["As you like.", ""],
        ["> ", leave],
      ],
    );
    expect([code, existsSync(victim)]).to.deep.equal([0, true]);
  });

  it("hands a reason on", async () => {
    project.model.play(deletes("I move it."));
    const { code } = await play(
      ["run", "delete it"],
      [
        ["Allow it?", down + enter],
        ["What should it do instead?", `move it away${enter}`],
        ["I move it.", ""],
      ],
    );
    const { body } = await project.model.request(1);
    expect([code, existsSync(victim)]).to.deep.equal([0, true]);
    expect(JSON.stringify(body)).to.include("move it away");
  });

  it("stops the run at Ctrl-C in a question, and the call is not made", async () => {
    project.model.play(deletes("never said"));
    const { code, screen } = await play(
      ["run", "delete it"],
      [
        ["Allow it?", interrupt],
        ["cancelled: ", ""],
      ],
    );
    expect([code, existsSync(victim), screen.includes("never said")]).to.deep.equal([130, true, false]);
  });

  it("leaves the screen alone when a question is closed that was left with Ctrl-C", async () => {
    project.model.play(deletes("never said"));
    const { screen } = await play(
      ["chat"],
      [
        ["> ", `delete it${enter}`],
        ["Allow it?", interrupt],
        [" tokens ", ""],
        ["> ", leave],
      ],
    );
    expect(screen).to.match(/◆ Allow it\? *\n/);
    const [, after = ""] = screen.split("to quit at once.");
    expect(after.split("✗")[0]?.match(/\n/g), after).to.have.length(1);
  });

  it("shows a step in one line, whatever its call consists of", async () => {
    const call = { operation: "delete_file", filePath: "two\n\tlines.txt" };
    writeFileSync(path.join(project.folder, call.filePath), "x");
    project.model.play([
      chatReply({ toolCalls: [{ name: "file_operations", arguments: call }] }),
      chatReply({ text: "Gone." }),
    ]);
    const { screen } = await play(
      ["run", "delete it"],
      [
        ["Allow it?", "y"],
        ["● y", enter],
        ["Gone.", ""],
      ],
    );
    expect(screen).to.match(/✓ file_operations\.delete_file Delete file: two lines\.txt/);
  });

  it("asks one question after the other, and the answer to one takes no keys from the next", async () => {
    const other = path.join(project.folder, "other.txt");
    writeFileSync(other, "x");
    const call = (filePath: string) => ({
      name: "file_operations",
      arguments: { operation: "delete_file", filePath },
    });
    project.model.play([
      chatReply({ toolCalls: [call("victim.txt"), call("other.txt")] }),
      chatReply({ text: "Both gone." }),
    ]);
    const { code, screen } = await play(
      ["run", "delete both"],
      [
        ["Enter confirms.", "y"],
        ["● y", enter],
        ["Enter confirms.", "y"],
        ["● y", enter],
        ["Both gone.", ""],
      ],
    );
    expect([code, existsSync(victim), existsSync(other)], screen).to.deep.equal([0, false, false]);
  });

  for (const [when, wait] of [
    ["in a question", "Allow it?"],
    ["before the question", "I begin"],
  ] as const)
    it(`stops the run at Ctrl-D ${when}, and the call is not made`, async () => {
      const call = { operation: "delete_file", filePath: "victim.txt" };
      const toolCalls = [{ name: "file_operations", arguments: call }];
      project.model.play([
        chatReply([{ text: "I begin.\n" }, { delayMs: 1000 }, { toolCalls }]),
        chatReply({ text: "never said" }),
      ]);
      const { code, screen } = await play(
        ["run", "delete it"],
        [
          [wait, leave],
          ["cancelled: ", ""],
        ],
      );
      expect([code, existsSync(victim), screen.includes("never said")], screen).to.deep.equal([
        130,
        true,
        false,
      ]);
    });

  it("stops the answer at Ctrl-D in a question of a chat, and leaves at the next", async () => {
    project.model.play(deletes("never said"));
    const { code, screen } = await play(
      ["chat"],
      [
        ["> ", `delete it${enter}`],
        ["Allow it?", leave],
        ["Stopped.", ""],
        ["> ", leave],
      ],
    );
    expect([code, existsSync(victim), screen.includes("never said")], screen).to.deep.equal([0, true, false]);
  });

  it("P7: asks about a call by hand, and makes it after a yes", async () => {
    const { code, screen } = await play(
      ["tools", "call", "file_operations.delete_file", "filePath=victim.txt"],
      [["Enter confirms.", `y${enter}`]],
    );
    expect([code, existsSync(victim)], screen).to.deep.equal([0, false]);
  });

  it("asks what a tool asks, with its options", async () => {
    const question = { operation: "request_input", prompt: "Which colour?", options: ["red", "blue"] };
    project.model.play([
      chatReply({ toolCalls: [{ name: "user_collaboration", arguments: question }] }),
      chatReply({ text: "Noted." }),
    ]);
    const { code, screen } = await play(
      ["run", "paint"],
      [
        ["Which colour?", ""],
        ["Your answer", down + enter],
        ["Noted.", ""],
      ],
    );
    const { body } = await project.model.request(1);
    expect([code, screen.includes("red")]).to.deep.equal([0, true]);
    expect(JSON.stringify(body)).to.include("blue");
  });
});

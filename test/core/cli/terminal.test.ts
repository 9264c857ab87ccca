import { execFileSync, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { commandOf, openProject, watchProgram, type Project } from "../../support/pergola.ts";

const player = path.resolve(import.meta.dirname, "../../support/terminal.py");
const [down, enter, interrupt, leave] = ["\u001b[B", "\r", "\u0003", "\u0004"];

function hasPython(): boolean {
  try {
    execFileSync("python3", ["-c", "import pty"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("pergola at a terminal", function () {
  this.timeout(40_000);
  let project: Project;
  let victim: string;

  before(function () {
    if (hasPython() || process.env["PERGOLA_REQUIRE_ALL"] === "1") return;
    process.stderr.write("    the tests at a terminal are left out: install the package python3\n");
    this.skip();
  });
  beforeEach(async () => {
    project = await openProject();
    victim = path.join(project.folder, "victim.txt");
    writeFileSync(victim, "x");
  });
  afterEach(() => project.close());

  /**
   * Plays a person: each step waits for a text and then sends keys. Gives back what the screen showed,
   * without colours.
   */
  const play = async (
    words: readonly string[],
    steps: readonly (readonly [wait: string, keys: string])[],
  ) => {
    const command = [
      ...commandOf("build"),
      ...words,
      "--settings",
      project.settings(),
      "--data",
      project.data,
    ];
    const env = { ...project.environment, TERM: "xterm" };
    const program = watchProgram(
      spawn("python3", [player, JSON.stringify(steps), ...command], { cwd: project.folder, env }),
    );
    const code = await program.ended;
    // eslint-disable-next-line no-control-regex
    return { code, screen: program.stdout.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, "").replaceAll("\r", "") };
  };
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
      .and.include(`path: ${victim}`)
      .and.include("✓ file_operations.delete_file");
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

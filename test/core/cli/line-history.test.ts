import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply, temporaryFolder } from "@pergola/sdk/testing";
import { historyFile, LineHistory, longestLine, mostLines } from "../../../core/cli/line-history.ts";
import { needTerminal, playAtTerminal } from "../../support/at-terminal.ts";
import { openProject, type Project } from "../../support/pergola.ts";

const [up, enter, leave] = ["\u001b[A", "\r", "\u0004"];

describe("what is entered in a chat at a terminal", function () {
  this.timeout(40_000);
  let project: Project;

  before(function () {
    needTerminal(this);
  });
  beforeEach(async () => {
    project = await openProject();
    project.model.play(() => chatReply({ text: "Thanks." }));
  });
  afterEach(() => project.close());

  const enterLine = (line: string, ...flags: readonly string[]) =>
    playAtTerminal(
      project,
      ["chat", ...flags],
      [
        ["> ", `${line}${enter}`],
        ["Thanks.", ""],
        ["> ", leave],
      ],
    );
  const lastSent = (): string => {
    const { messages } = project.model.requests.at(-1)?.body as {
      messages: { readonly role: string; readonly content: string }[];
    };
    return messages.findLast(({ role }) => role === "user")?.content ?? "";
  };

  it("is brought back by the next chat, and can be read by nobody else", async () => {
    await enterLine("water the beans");
    await enterLine("and the roses");
    await enterLine(`${up}${up}`);
    expect(lastSent()).to.match(/^water the beans\n/);
    const file = historyFile(project.data);
    expect(readFileSync(file, "utf8")).to.equal("water the beans\nand the roses\nwater the beans\n");
    expect(statSync(file).mode & 0o777).to.equal(0o600);
  });

  it("is not kept with --no-history, which brings nothing back either", async () => {
    await enterLine("a secret", "--no-history");
    expect(existsSync(historyFile(project.data))).to.equal(false);
    await enterLine("kept");
    await enterLine(`${up}other`, "--no-history");
    expect(lastSent()).to.match(/^other\n/);
    expect(readFileSync(historyFile(project.data), "utf8")).to.equal("kept\n");
  });

  it("is not kept of a pipe", async () => {
    const { code } = await project.run(["chat"], { input: "from a pipe\n" });
    expect([code, project.model.requests.length]).to.deep.equal([0, 1]);
    expect(existsSync(historyFile(project.data))).to.equal(false);
  });

  it("goes on without it where the file cannot be written, and says so", async () => {
    mkdirSync(historyFile(project.data), { recursive: true });
    const { code, screen } = await enterLine("water the beans");
    expect([code, project.model.requests.length], screen).to.deep.equal([0, 1]);
    expect(screen.match(/not kept for the next chat/g)).to.have.length(1);
  });
});

describe("the history of lines", () => {
  it("has an end: older lines go, and one that is too long is not kept", () => {
    const file = path.join(temporaryFolder("pergola-history-"), "chat-history");
    const line = (index: number): string => `${index} ${"x".repeat(1200)}`;
    writeFileSync(file, Array.from({ length: mostLines + 5 }, (_, index) => `${line(index)}\n`).join(""));
    const history = new LineHistory(file);
    expect(history.lines).to.have.length(mostLines);
    expect(history.lines[0]).to.equal(line(mostLines + 4));
    expect(readFileSync(file, "utf8").split("\n")[0]).to.equal(line(5));
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    history.replace(["y".repeat(longestLine + 1)]);
    history.replace(["short"]);
    expect(readFileSync(file, "utf8").split("\n").slice(-3)).to.deep.equal([
      line(mostLines + 4),
      "short",
      "",
    ]);
  });

  it("brings no line back that would steer the terminal", () => {
    const file = path.join(temporaryFolder("pergola-history-"), "chat-history");
    writeFileSync(file, "first\n\u001b[2Jsecond\nthird\tword\n");
    expect(new LineHistory(file).lines).to.deep.equal(["third\tword", "first"]);
  });
});

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder, type MockReply } from "@pergola/sdk/testing";
import { answer, calling, eachItsLab, outcomesOf, pendingIn, play, saying } from "../support/lab-stage.ts";

/** What other programs run or trust, or the service itself, below the working directory. */
const trusted = [
  "AGENTS.md",
  "CLAUDE.md",
  ".github/workflows/build.yml",
  ".pergola/tools/mine.mjs",
  "pergola.config.yaml",
  // The person's own configuration folder, when it lies in the working directory.
  "config/pergola/pergola.config.json",
  "config/pergola/tools/mine.mjs",
  ".agents/skills/deploy/SKILL.md",
  ".claude/skills/deploy/SKILL.md",
  ".mcp.json",
  ".git/hooks/pre-commit",
] as const;

const manifest = JSON.stringify({ name: "mine", scripts: { test: "mocha" } });

describe("files that other programs trust", function () {
  this.timeout(60_000);
  const open = eachItsLab();
  let folder: string;
  const configuration = process.env["XDG_CONFIG_HOME"];
  beforeEach(() => {
    folder = temporaryFolder();
    process.env["XDG_CONFIG_HOME"] = path.join(folder, "config");
    mkdirSync(path.join(folder, ".git"));
    writeFileSync(path.join(folder, "package.json"), manifest);
  });
  afterEach(() => {
    delete process.env["XDG_CONFIG_HOME"];
    if (configuration !== undefined) process.env["XDG_CONFIG_HOME"] = configuration;
  });
  const file = (operation: string, more: object): MockReply =>
    calling({ name: "file_operations", arguments: { operation, ...more } });
  const writing = (filePath: string): MockReply =>
    file("create_file", { filePath, content: "evil", overwrite: true });

  it("X69 the model writes its own settings, instructions, workflows, tools, skills and scripts: each is asked about", async () => {
    // As loose as the settings can be: what is kept is asked about all the same.
    const at = await open({
      settings: { "authorization.auto_approve": ["write", "file_operations.create_file"] },
    });
    const attempts: readonly (readonly [string, MockReply])[] = [
      ...trusted.map((name) => [path.join(folder, name), writing(name)] as const),
      [
        path.join(folder, "package.json"),
        file("replace_string", {
          filePath: "package.json",
          oldString: '"mocha"',
          newString: '"mocha; evil"',
        }),
      ],
      [
        path.join(folder, "package.json"),
        file("replace_string", {
          filePath: "package.json",
          oldString: '"name"',
          newString: '"pergola": { "authorization.auto_approve": ["execute"] }, "name"',
        }),
      ],
    ];
    const run = play(at, [...attempts.map(([, call]) => call), writing("plain.txt"), saying("Done.")], {
      conversationId: "x69",
      max_iterations: 40,
      service_config: { working_directory: folder },
    });
    let before: Awaited<ReturnType<typeof pendingIn>> | undefined;
    for (const [target] of attempts) {
      const asked = await pendingIn(at.host, "x69", before);
      expect(asked.tool, target).to.equal("file_operations");
      expect(asked.paths, target).to.deep.equal([target]);
      expect(asked.status, target).to.equal("pending");
      await answer(at.host, asked.toolCallId, { approved: false });
      before = asked;
    }
    expect((await run).content).to.equal("Done.");
    const outcomes = await outcomesOf(at.host, "x69");
    expect(outcomes.map(({ error_code: code }) => code ?? "done")).to.deep.equal([
      ...attempts.map(() => "denied"),
      "done",
    ]);
    for (const name of trusted) expect(existsSync(path.join(folder, name)), name).to.equal(false);
    expect(readFileSync(path.join(folder, "package.json"), "utf8")).to.equal(manifest);
    expect(existsSync(path.join(folder, "plain.txt")), "what is not kept").to.equal(true);
  });
});

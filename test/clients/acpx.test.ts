import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { sentBody } from "../support/chat.ts";
import { deleting } from "../support/changes-scene.ts";
import { commandOf, freePort, openProject, watchProgram, type Project } from "../support/pergola.ts";

const acpx = path.join(root, "node_modules", "acpx", "dist", "cli.js");

interface Line {
  readonly method?: string;
  readonly params?: { readonly update?: { readonly sessionUpdate: string; readonly content?: object } };
  readonly result?: { readonly stopReason?: string };
}

describe("acpx", function () {
  this.timeout(60_000);
  let project: Project;
  before(async () => {
    project = await openProject();
    project.settings({ "memory.embedding_model": "" });
    await project.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
  });
  after(() => project.close());

  /** Runs acpx; what it and the agent that it starts say to each other. */
  async function run(...words: readonly string[]) {
    const agent = [...commandOf("build"), "acp", "--settings", project.settings(), "--data", project.data];
    const how = { cwd: project.folder, env: project.environment };
    const program = watchProgram(
      spawn(process.execPath, [acpx, "--agent", agent.join(" "), "--format", "json", ...words], how),
    );
    program.child.stdin?.end();
    const code = await program.ended;
    const lines = program.stdout.trim().split("\n");
    return { code, lines: lines.map((line) => JSON.parse(line) as Line) };
  }

  /** The same about a file that is to be deleted. */
  async function exec(answer: string) {
    const file = path.join(project.folder, "old.txt");
    writeFileSync(file, "old\n");
    const calls = chatReply({ toolCalls: [deleting("old.txt")] });
    project.model.play([calls, chatReply({ text: ["That ", "is all."] })]);
    return { ...(await run(answer, "exec", "Tidy up")), isThere: existsSync(file) };
  }

  it("shows the answer, and lets a file be deleted where it approves all", async () => {
    const { code, lines, isThere } = await exec("--approve-all");
    expect([code, isThere]).to.deep.equal([0, false]);
    const updates = lines.flatMap(({ params }) => params?.update ?? []);
    expect(updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")).to.deep.equal([
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "That is all." } },
    ]);
    expect(lines.at(-1)?.result).to.deep.equal({ stopReason: "end_turn" });
  });

  it("finds what it has chosen before the first prompt, though it starts the agent anew for each step", async () => {
    expect((await run("sessions", "new")).code).to.equal(0);
    expect((await run("set", "thought", "high")).code).to.equal(0);
    const listed = async () => {
      const { stdout } = await project.run(["conversations", "list", "--json"]);
      return (JSON.parse(stdout) as { readonly conversations: readonly unknown[] }).conversations.length;
    };
    const before = await listed();
    project.model.play([chatReply({ text: ["Well."] })]);
    const { code, lines } = await run("--ttl", "1", "prompt", "Think");
    expect([code, lines.at(-1)?.result]).to.deep.equal([0, { stopReason: "end_turn" }]);
    expect(sentBody({ provider: project.model }, -1)).to.include({ reasoning_effort: "high" });
    expect(await listed()).to.equal(before + 1);
    expect((await run("sessions", "close")).code).to.equal(0);
  });

  it("keeps the file where it denies all", async () => {
    const { lines, isThere } = await exec("--deny-all");
    expect(isThere).to.equal(true);
    expect(lines.at(-1)?.result).to.deep.equal({ stopReason: "end_turn" });
  });
});

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { openProject, type Project } from "../../support/pergola.ts";

const idOf = (digit: string): string => `held_${digit.repeat(32)}`;

/** The commands of docs/sandbox.md. */
describe("pergola held", function () {
  this.timeout(60_000);
  let project: Project;
  beforeEach(async () => {
    project = await openProject();
  });
  afterEach(() => project.close());

  const hold = (id: string, name: string): void => {
    const folder = path.join(project.data, "changes", "held", id);
    mkdirSync(path.join(folder, "content"), { recursive: true });
    writeFileSync(path.join(folder, "content", name), "held");
    const call = { callId: "call_1", runId: null, tool: "terminal_operations", operation: "run_command" };
    const note = { id, path: path.join(project.folder, name), ...call, at: new Date().toISOString() };
    writeFileSync(path.join(folder, "note.json"), JSON.stringify(note));
  };

  it("lists what is held, puts it back, throws it away, and says when nothing has that id", async () => {
    hold(idOf("a"), ".envrc");
    hold(idOf("b"), ".mcp.json");
    const listed = await project.run(["held", "list"]);
    for (const text of [idOf("a"), idOf("b"), ".mcp.json", "terminal_operations.run_command"])
      expect(listed.stdout.replaceAll(/\s+/g, "")).to.include(text);
    const restored = await project.run(["held", "restore", idOf("a")]);
    expect(restored.code, restored.stderr).to.equal(0);
    expect(readFileSync(path.join(project.folder, ".envrc"), "utf8")).to.equal("held");
    const removed = await project.run(["held", "remove", idOf("b"), "--json"]);
    expect(JSON.parse(removed.stdout)).to.include({ id: idOf("b") });
    const left = await project.run(["held", "list", "--json"]);
    expect(JSON.parse(left.stdout)).to.deep.equal({ files: [], count: 0 });
    expect(existsSync(path.join(project.folder, ".mcp.json"))).to.equal(false);
    const missing = await project.run(["held", "restore", idOf("b")]);
    expect(missing.code).to.equal(2);
    expect(missing.stderr).to.include("pergola held list");
  });
});

import { expect } from "chai";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { sessions } from "../sessions/sessions.ts";
import { bench, until } from "./context.ts";

describe("terminal_operations tasks", () => {
  beforeEach(() => sessions.start());
  afterEach(() => sessions.stop());

  it("run in the background under their label, and again", async () => {
    const at = bench();
    const task = { label: "build", type: "shell", command: "echo built; exit 3" };
    const first = await at.tell("create_and_run_task", { task });
    expect(first).to.include({ label: "build", status: "ended", exitCode: 3, output: "built\n" });
    expect((await at.run("get_task_output", { id: first.id })).data).to.deep.equal({
      id: first.id,
      label: "build",
      status: "ended",
      exitCode: 3,
      output: "built\n",
    });
    const second = await at.tell("run_task", { label: "build" });
    expect(second).to.include({ label: "build", exitCode: 3, output: "built\n" });
    expect(second.id).to.not.equal(first.id);
    expect((await at.tell("get_task_output", { id: "build" })).id).to.equal(second.id);
  });

  it("go on after the answer when they take longer", async () => {
    const at = bench();
    const command = "echo serving; sleep 1.5; echo later; sleep 600";
    const { id, status, output } = await at.tell("create_and_run_task", {
      task: { label: "serve", command },
    });
    expect([status, output]).to.deep.equal(["running", "serving\n"]);
    await until(
      "it goes on",
      async () => (await at.tell("get_task_output", { id })).output === "serving\nlater\n",
    );
    await at.tell("close_session", { session_id: id });
  });

  it("take their arguments as words", async () => {
    const task = {
      label: "words",
      type: "process",
      command: "printf",
      args: ["%s|", "a b", "$HOME", "it's", "", "-x", "*", "`id`", "é"],
    };
    expect((await bench().tell("create_and_run_task", { task })).output).to.equal(
      "a b|$HOME|it's||-x|*|`id`|é|",
    );
  });

  it("T32: run in workspaceFolder, or in the working directory when that does not exist", async () => {
    const at = bench();
    const root = at.context.workingDirectory;
    mkdirSync(path.join(root, "sub"));
    const task = { label: "where", command: "pwd -P" };
    expect((await at.tell("create_and_run_task", { task, workspaceFolder: "sub" })).output).to.equal(
      `${root}/sub\n`,
    );
    expect((await at.tell("run_task", { label: "where" })).output).to.equal(`${root}/sub\n`);
    expect((await at.tell("create_and_run_task", { task, workspaceFolder: "none" })).output).to.equal(
      `${root}\n`,
    );
    expect((await at.tell("create_and_run_task", { task })).output).to.equal(`${root}\n`);
    expect(existsSync(path.join(root, "none"))).to.equal(false);
  });

  it("belong to their scope", async () => {
    const at = bench();
    await at.tell("create_and_run_task", { task: { label: "mine", command: "true" } });
    expect((await at.failure("run_task", { label: "mine" }, { scope: "c2" })).code).to.equal("not_found");
    const error = await at.failure("run_task", { label: "other" });
    expect([error.code, error.hint]).to.deep.equal(["not_found", "Tasks: mine."]);
    expect((await at.failure("get_task_output", { id: "mine" }, { scope: "c2" })).code).to.equal("not_found");
  });
});

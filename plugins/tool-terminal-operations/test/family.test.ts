import { expect } from "chai";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Effect, JsonObject, ToolResult } from "@pergola/sdk";
import { endpointRequest, startTestHost, type TestHost } from "@pergola/sdk/testing";
import { terminalOperations } from "../index.ts";
import { sessions } from "../sessions/sessions.ts";
import { bench, newSleep, operationNamed, running } from "./context.ts";

interface Manifest {
  readonly provides: { readonly tools: Readonly<Record<string, readonly string[]>> };
  readonly enabledByDefault: boolean;
}

const manifest = JSON.parse(readFileSync(new URL("../plugin.json", import.meta.url), "utf8")) as Manifest;
const { operations } = terminalOperations;
const advertised = operations.filter(({ hidden }) => hidden !== true);

/**
 * Every operation, with its effect, a good call and the shape of its data. `<s>` stands for a session's id.
 */
const table: Readonly<
  Record<string, readonly [Effect, Readonly<Record<string, unknown>>, "text" | readonly string[]]>
> = {
  run_command: ["execute", { command: "touch made" }, "text"],
  validate: ["none", { command: "rm -rf /" }, ["risk", "reasons"]],
  create_directory: ["write", { dirPath: "a/b" }, ["path", "created"]],
  create_session: [
    "execute",
    { name: "mine", conversation_id: "c7" },
    ["session_id", "status", "working_directory", "message"],
  ],
  send_input: [
    "execute",
    { session_id: "<s>", input: "echo x" },
    ["session_id", "status", "exitCode", "output", "from_index", "next_index"],
  ],
  get_output: [
    "read",
    { session_id: "<s>" },
    ["session_id", "status", "exitCode", "output", "from_index", "next_index"],
  ],
  get_history: ["read", { session_id: "<s>" }, ["session_id", "name", "status", "history"]],
  get_terminal_output: ["read", { id: "<s>" }, "text"],
  get_terminal_buffer: ["read", {}, "text"],
  get_last_command: ["read", {}, ["command", "working_directory", "exitCode"]],
  get_terminal_selection: ["read", {}, "text"],
  create_and_run_task: [
    "execute",
    { task: { label: "t", command: "true" } },
    ["id", "label", "working_directory", "status", "exitCode", "output"],
  ],
  run_task: ["execute", { label: "t" }, ["id", "label", "working_directory", "status", "exitCode", "output"]],
  get_task_output: ["read", { id: "t" }, ["id", "label", "status", "exitCode", "output"]],
  close_session: ["execute", { session_id: "<s>" }, ["session_id", "status", "exitCode"]],
};

describe("terminal_operations", () => {
  beforeEach(() => sessions.start());
  afterEach(() => sessions.stop());

  it("is off by default", () => {
    expect(manifest.enabledByDefault).to.equal(false);
  });

  it("T01: runs every operation, with the data and the effect that it promises", async () => {
    expect(Object.keys(table)).to.have.members(operations.map(({ name }) => name));
    const at = bench();
    let session = "";
    for (const [name, [effect, args, shape]] of Object.entries(table)) {
      const given = Object.fromEntries(
        Object.entries(args).map(([key, value]) => [key, value === "<s>" ? session : value]),
      );
      const { data } = await at.run(name, given);
      expect(operationNamed(name).effect, name).to.equal(effect);
      if (shape === "text") expect(data, name).to.be.a("string");
      else expect(data, name).to.have.all.keys(...shape);
      if (name === "create_session") session = (data as { readonly session_id: string }).session_id;
    }
    const root = at.context.workingDirectory;
    expect([existsSync(path.join(root, "made")), existsSync(path.join(root, "a/b"))]).to.deep.equal([
      true,
      true,
    ]);
  });

  it("T11: has an operation behind each other name", () => {
    const tasks = Object.fromEntries(
      ["create_and_run_task", "run_task", "get_task_output"].map((name) => [
        `build_and_version_control.${name}`,
        name,
      ]),
    );
    const run = "run_command";
    expect(terminalOperations.aliases).to.deep.equal({
      shell: run,
      exec: run,
      terminal_exec: run,
      run_command: run,
      ...tasks,
    });
    for (const name of ["exec", "execute", "shell"]) expect(operationNamed(name).name).to.equal(run);
    for (const name of Object.values(tasks)) expect(operationNamed(name).name).to.equal(name);
  });

  it("A10: marks every path for the policy", () => {
    const paths = operations.flatMap(({ parameters }) =>
      Object.entries(parameters).filter(([, { format }]) => format === "path"),
    );
    expect(new Set(paths.map(([name]) => name))).to.deep.equal(
      new Set(["working_directory", "dirPath", "workspaceFolder"]),
    );
  });

  it("says of everything that has an effect what may happen after a crash", () => {
    for (const { name, effect, recovery } of operations) {
      if (effect === "read" || effect === "none") expect(recovery, name).to.equal(undefined);
      else expect(recovery, name).to.be.oneOf(["once", "repeat"]);
    }
  });

  it("makes a folder once, and none where a file is", async () => {
    const at = bench();
    expect((await at.run("create_directory", { dirPath: "a" })).data).to.deep.equal({
      path: "a",
      created: true,
    });
    expect((await at.run("create_directory", { dirPath: "a" })).data).to.deep.equal({
      path: "a",
      created: false,
    });
    writeFileSync(path.join(at.context.workingDirectory, "file"), "");
    expect((await at.failure("create_directory", { dirPath: "file" })).code).to.equal("conflict");
  });

  it("shows a card for each operation, and gives examples of what it advertises", () => {
    for (const [name, [, args]] of Object.entries(table)) {
      const { display, parameters } = operationNamed(name);
      const defaults = Object.fromEntries(
        Object.entries(parameters).map(([key, schema]) => [key, schema.default]),
      );
      const card = (display as unknown as (args: unknown) => object)({ ...defaults, ...args });
      expect(card, name).to.include.keys("actionDisplayName", "summary", "details");
    }
    for (const { examples = [] } of advertised) {
      expect(examples.length).to.be.at.least(2);
      for (const { say, arguments: args } of examples) expect(say).to.include(args["command"]);
    }
  });
});

const startHost = (settings: JsonObject = {}): Promise<TestHost> =>
  startTestHost({
    plugins: ["storage-memory", "policy-authorization", "tool-terminal-operations"].map((id) => ({
      use: path.resolve(import.meta.dirname, "../..", id),
      isolation: "trusted",
    })),
    settings: { storage: { type: "memory" }, "memory.embedding_model": "", ...settings },
  });

/** Calls a tool by hand; a person on this computer, for whom nothing is asked, unless told otherwise. */
async function callIn(host: TestHost, name: string, args: object, userInitiated = true): Promise<ToolResult> {
  const caller = endpointRequest().caller;
  const { signal } = new AbortController();
  return (
    await host.services.tools.call({ name, arguments: args, waitSeconds: 0, userInitiated, caller, signal })
  ).result;
}

describe("terminal_operations in a host", () => {
  let host: TestHost;
  before(async () => {
    host = await startHost();
  });
  after(() => host.stop());

  const call = (name: string, args: object, userInitiated?: boolean): Promise<ToolResult> =>
    callIn(host, name, args, userInitiated);

  it("is listed as off, and a call is refused", async () => {
    const listed = (await host.services.tools.list()).find(({ name }) => name === "terminal_operations");
    expect(listed).to.include({ enabled: false, available: true });
    expect((await call("terminal_operations", { command: "echo x" }, false)).error_code).to.equal(
      "tool_disabled",
    );
  });

  it("understands every spelling, without explanation too", async () => {
    for (const [name, args] of [
      ["terminal_operations", { operation: "run_command", command: "echo yes" }],
      ["terminal_operations", { command: "echo yes", explanation: "to see" }],
      ["terminal_operations.exec", { cmd: "echo yes", passthrough: true }],
      ["run_command", { command: "echo yes", workingDirectory: "." }],
      ["shell", { cmd: "echo yes", cwd: ".", is_background: false, timeout: "5" }],
      ["terminal_exec", { command: "echo yes" }],
      [
        "build_and_version_control",
        {
          operation: "create_and_run_task",
          task: { label: "t", command: "echo yes" },
          workspaceFolder: "none",
        },
      ],
      ["build_and_version_control.get_task_output", { id: "t" }],
    ] as const) {
      const answer = await call(name, args);
      expect(
        [answer.success, answer.data?.includes("yes")],
        `${name}: ${JSON.stringify(answer)}`,
      ).to.deep.equal([true, true]);
    }
    expect((await call("run_command", {})).error_code).to.equal("missing_required");
    expect((await call("run_command", { command: "true", timeout: 601 })).error_code).to.equal(
      "invalid_value",
    );
  });

  it("A30: asks for each command even when it is switched on", async () => {
    const open = await startHost({ "tools.disabled": [] });
    try {
      for (const operation of [
        "run_command",
        "create_session",
        "send_input",
        "close_session",
        "create_and_run_task",
        "run_task",
      ]) {
        const args = {
          operation,
          command: "true",
          session_id: "x",
          input: "x",
          task: { label: "t", command: "true" },
          label: "t",
        };
        expect((await callIn(open, "terminal_operations", args, false)).error_code, operation).to.equal(
          "approval_required",
        );
      }
      for (const operation of [
        "validate",
        "get_terminal_buffer",
        "get_last_command",
        "get_terminal_selection",
      ])
        expect(
          (await callIn(open, `terminal_operations.${operation}`, { command: "ls" }, false)).success,
          operation,
        ).to.equal(true);
    } finally {
      await open.stop();
    }
  });

  it("ends its sessions when the host stops", async () => {
    const mark = newSleep();
    const { sessionId } = await call("run_command", { command: `sleep ${mark}`, isBackground: true });
    expect(sessionId).to.match(/^term_[0-9a-f]{12}$/);
    expect(running(mark)).to.not.deep.equal([]);
    await host.restart();
    expect(running(mark)).to.deep.equal([]);
    expect(
      (await call("terminal_operations", { operation: "get_output", session_id: sessionId })).error_code,
    ).to.equal("not_found");
    expect((await call("terminal_operations", { operation: "create_session" })).success).to.equal(true);
  });
});

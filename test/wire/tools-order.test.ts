import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { chat, sentBody, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { approvals } from "../support/lab-stage.ts";
import { execute } from "../support/tool-scene.ts";
import { verifies } from "../support/verifies.ts";

describe("the order of checks of a call", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(chatReply({ text: "Hello." }));
  });
  after(() => stage.end());

  verifies(
    "debug:execute",
    "T10: a family that is off refuses before its arguments are checked",
    async () => {
      for (const args of [{}, { operation: "run_command" }, { operation: "no_such" }, { command: 5 }])
        expect(await execute(stage, "terminal_operations", args), JSON.stringify(args)).to.include({
          success: false,
          error_code: "tool_disabled",
        });
    },
  );

  verifies("debug:execute", "T11: a call makes its working directory only once it is allowed", async () => {
    const workingDirectory = path.join(stage.host.dataDirectory, "workspaces", "not-yet");
    const call = { operation: "create_file", filePath: "/tmp/pergola-elsewhere.txt", content: "x" };
    const waiting = await execute(stage, "file_operations", call, { workingDirectory });
    expect(waiting.error_code).to.equal("approval_required");
    expect(existsSync(workingDirectory), "while it waits").to.equal(false);
    const [approval] = await approvals(stage.host, "?status=pending");
    await stage.host.services.approvals.answer(approval?.id ?? "", { approved: false });
    expect(existsSync(workingDirectory), "after a no").to.equal(false);
    const broken = await execute(
      stage,
      "file_operations",
      { operation: "create_file" },
      { workingDirectory },
    );
    expect([broken.error_code, existsSync(workingDirectory)]).to.deep.equal(["missing_required", false]);
    const allowed = await execute(
      stage,
      "file_operations",
      { operation: "list_dir", filePath: "." },
      { workingDirectory },
    );
    expect([allowed.success, existsSync(workingDirectory)]).to.deep.equal([true, true]);
  });
});

describe("names that other services know (T12)", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(chatReply({ text: "Hello." }));
  });
  after(() => stage.end());

  verifies("debug:execute", "list the system prompts and the mini prompts", async () => {
    const { system } = stage.host.services.prompts!;
    const names = (await system.list()).items.map(({ name }) => name);
    const listed = await execute(stage, "list_system_prompts", {});
    expect(listed.toolResult.data?.split("\n")).to.deep.equal(names);
    expect((await execute(stage, "list_mini_prompts", {})).toolResult).to.include({
      success: true,
      data: "",
    });
    for (const name of ["Tone", "Units"])
      await stage.host.json("POST", "/api/mini-prompts", { name, content: `About ${name}.` });
    expect((await execute(stage, "LIST_MINI_PROMPTS", {})).toolResult.data).to.equal("Tone\nUnits");
  });

  verifies(["debug:tools", "tools:list"], "stand in no list, and are not offered", async () => {
    const { tools } = (await stage.host.json<{ tools: { name: string }[] }>("GET", "/api/tools")).body;
    await chat(stage, { messages: [user("Hi")] });
    const offered = (sentBody(stage).tools ?? []).map((tool) => tool.function.name);
    const names = [...tools.map(({ name }) => name), ...offered];
    expect(names).to.include("file_operations").and.not.include("prompt_names");
    expect((await execute(stage, "prompt_names", {})).toolResult).to.include({
      error_code: "invalid_operation",
    });
  });
});

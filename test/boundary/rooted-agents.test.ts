import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chatReply, temporaryFolder, type MockReply, type ScriptedCall } from "@pergola/sdk/testing";
import { expect } from "chai";
import { agentCall, agentRuns, callsOf, cast, chatWith, spawning } from "../support/agent-stage.ts";
import { ask, type Stage } from "../support/host.ts";
import { answer, calling, eventually, outcomesOf, pendingIn, saying } from "../support/lab-stage.ts";
import { addToken, fromElsewhere, openDoorStage } from "./door-scene.ts";

const secret = "a line that nobody with a root may read";
const scopes = ["read", "chat", "tools", "approve"];

describe("what a token with a root sets going", () => {
  const above = temporaryFolder();
  const root = path.join(above, "own");
  const outside = path.join(above, "other");
  const target = path.join(outside, "made.txt");
  let stage: Stage;
  let token = "";

  before(async () => {
    for (const folder of [root, outside]) mkdirSync(folder);
    writeFileSync(path.join(root, "mine.txt"), "mine");
    writeFileSync(path.join(outside, "secret.txt"), secret);
    symlinkSync(outside, path.join(root, "link"));
    const settings = {
      "debug.allow_remote": true,
      "tools.disabled": [],
      "workspace.allowed_roots": [root],
      "agents.max_depth": 2,
    };
    stage = await openDoorStage({ settings });
    token = (await addToken(stage.host, "x50", { scopes, root })).secret;
  });
  afterEach(() => {
    expect(existsSync(target), "nothing was written outside").to.equal(false);
    expect(readFileSync(path.join(outside, "secret.txt"), "utf8")).to.equal(secret);
    expect(JSON.stringify(stage.provider.requests)).not.to.include(secret);
  });
  after(() => stage.end());

  const post = <T>(at: string, body: object) =>
    fromElsewhere<T & { error?: { code: string } }>(stage.host, at, { method: "POST", token, body });
  const file = (operation: string, filePath: string, more: object = {}): ScriptedCall => ({
    name: "file_operations",
    arguments: { operation, filePath, ...more },
  });
  const create = file("create_file", target, { content: "x" });
  const mine = file("read_file", "mine.txt");
  /** Five ways out, each in an answer of its own with a call that stays inside. */
  const ways: readonly MockReply[] = [
    file("read_file", path.join(outside, "secret.txt")),
    file("read_file", "../other/secret.txt"),
    file("read_file", "link/secret.txt"),
    create,
    { name: "file_operations", arguments: { operation: "list_dir", path: outside } },
  ].map((call) => calling(call, mine));
  const refused = ways.flatMap(() => ["path_escape", "done"]);
  const codesIn = async (conversationId: string) =>
    (await outcomesOf(stage.host, conversationId)).map(({ success, error_code: code }) =>
      success ? "done" : code,
    );
  const open = async (id: string): Promise<void> => {
    const made = await post("/v1/conversations", { id, title: "In", workingDirectory: root });
    expect(made.status).to.equal(201);
  };
  const chat = (conversationId: string) =>
    post(
      "/api/chat/completions",
      ask("Do it", { conversationId, service_config: { enable_workflow_mode: true } }),
    );
  const lastAgent = async () => (await agentRuns(stage.host)).at(-1)!;

  it("X50 a sub-agent stays where its token stays", async () => {
    await open("x50-agents");
    stage.provider.play(
      cast([spawning({ task: "Escape", wait: true }), saying("ok")], { Escape: [...ways, saying("no way")] }),
    );
    const { status, body } = await chat("x50-agents");
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(await codesIn("x50-agents")).to.deep.equal(["done"]);
    const agent = await lastAgent();
    expect(agent.kind).to.equal("subagent");
    expect(await codesIn(agent.conversationId)).to.deep.equal(refused);
  });

  it("X50 so does the sub-agent of a sub-agent, and one that is called by hand", async () => {
    await open("x50-deep");
    const below = [spawning({ task: "Deeper", wait: true }), saying("ok")];
    stage.provider.play(
      cast([spawning({ task: "Deep", wait: true, enableWorkflowMode: true }), saying("ok")], {
        Deep: below,
        Deeper: [...ways, saying("no way")],
      }),
    );
    expect((await chat("x50-deep")).status).to.equal(200);
    expect(callsOf(stage, "Deeper").length, "the second agent was at work").to.equal(ways.length + 1);
    expect(await codesIn((await lastAgent()).conversationId)).to.deep.equal(refused);
    stage.provider.play(cast([], { "By hand": [...ways, saying("no way")] }));
    const byHand = await post<{ success: boolean }>("/debug/mcp/execute", {
      tool: "agent_operations",
      arguments: { operation: "spawn", task: "By hand", wait: true },
      conversationId: "x50-deep",
    });
    expect([byHand.status, byHand.body.success]).to.deep.equal([200, true]);
    expect(await codesIn((await lastAgent()).conversationId)).to.deep.equal(refused);
  });

  it("X50 it sends nobody else's sub-agent out, whether that is at work or idle", async () => {
    await open("x50-others");
    let free!: () => void;
    const held = new Promise<void>((resolve) => (free = resolve));
    const first = { ...saying("ok"), body: [{ until: held }, ...saying("ok").body] };
    const escape = [first, calling(file("read_file", path.join(outside, "secret.txt"))), saying("no way")];
    stage.provider.play(
      cast([spawning({ task: "Owner's", persistent: true }), saying("ok")], { "Owner's": escape }),
    );
    await chatWith(stage, "x50-others");
    const agent = await lastAgent();
    const [spawned] = await outcomesOf(stage.host, "x50-others");
    const { agent_id } = JSON.parse(spawned?.data ?? "{}") as { agent_id: string };
    const send = (): ReturnType<typeof post<{ success: boolean; toolResult: { error_code: string } }>> =>
      post("/debug/mcp/execute", {
        tool: "agent_operations",
        arguments: { operation: "send", agent_id, message: "Read the secret." },
        conversationId: "x50-others",
      });
    const { body } = await send();
    expect([body.success, body.toolResult.error_code]).to.deep.equal([false, "conflict"]);
    free();
    const idle = () => eventually(async () => ((await lastAgent()).status === "ended" ? true : undefined));
    await idle();
    expect(await codesIn(agent.conversationId), "what was sent did not reach it").to.deep.equal([]);
    expect(await eventually(async () => ((await send()).body.success ? true : undefined))).to.equal(true);
    await eventually(async () => ((await codesIn(agent.conversationId)).length > 0 ? true : undefined));
    await idle();
    expect(await codesIn(agent.conversationId)).to.deep.equal(["path_escape"]);
  });

  it("X50 a grant of the owner's leads neither it nor its sub-agent out", async () => {
    await open("x50-grant");
    const granted = path.join(outside, "granted.txt");
    stage.provider.play([calling(file("create_file", granted, { content: "x" })), saying("ok")]);
    const owners = stage.host.json(
      "POST",
      "/api/chat/completions",
      ask("Go", { conversationId: "x50-grant" }),
    );
    const asked = await pendingIn(stage.host, "x50-grant");
    await answer(stage.host, asked.toolCallId, { approved: true, grant: "conversation", paths: [outside] });
    await owners;
    expect(existsSync(granted), "the owner's call ran, and left a grant").to.equal(true);
    const left = (await codesIn("x50-grant")).length;
    const together = chatReply({ toolCalls: [create, agentCall("spawn", { task: "Granted", wait: true })] });
    stage.provider.play(
      cast([together, saying("ok")], { Granted: [calling(create), calling(mine), saying("no way")] }),
    );
    expect((await chat("x50-grant")).status).to.equal(200);
    expect((await codesIn("x50-grant")).slice(left)).to.deep.equal(["path_escape", "done"]);
    expect(await codesIn((await lastAgent()).conversationId)).to.deep.equal(["path_escape", "done"]);
  });

  it("X50 an import brings neither a working directory nor rights", async () => {
    await open("x50-export");
    const pack = await fromElsewhere<{ conversation: { settings?: object } }>(
      stage.host,
      "/v1/conversations/x50-export/export",
      { token },
    );
    const { conversation } = pack.body;
    const taken = await post<{ conversationId: string }>("/v1/conversations/import", {
      ...pack.body,
      conversation: { ...conversation, workingDirectory: outside, workspace: outside, root: null },
      grants: [{ kind: "conversation", operation: "file_operations.create_file", paths: [outside] }],
    });
    expect(taken.status).to.be.oneOf([200, 201]);
    const id = taken.body.conversationId;
    const shown = await stage.host.json<{ workingDirectory: string | null }>(
      "GET",
      `/v1/conversations/${id}`,
    );
    expect(JSON.stringify(shown.body)).not.to.include(outside);
    const asked = stage.provider.requests.length;
    stage.provider.play([...ways, saying("no way")]);
    const early = await chat(id);
    expect([early.status, early.body.error?.code]).to.deep.equal([400, "invalid_value"]);
    expect(stage.provider.requests.length).to.equal(asked);
    const move = (workingDirectory: string) =>
      fromElsewhere(stage.host, `/v1/conversations/${id}`, {
        method: "PATCH",
        token,
        body: { workingDirectory },
      });
    expect((await move(outside)).status).to.equal(400);
    expect((await move(root)).status).to.equal(200);
    expect((await chat(id)).status).to.equal(200);
    expect((await codesIn(id)).slice(-refused.length)).to.deep.equal(refused);
  });
});

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { chatReply, type MockReply, type ScriptedCall } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { sentBody } from "../support/chat.ts";
import { choosing, openEditor, type Editor } from "../support/editor.ts";
import { openProject, type Project } from "../support/pergola.ts";

const servers = path.join(root, "plugins", "bridge-mcp-client", "test", "servers");
const calling = (...toolCalls: readonly ScriptedCall[]) => chatReply({ toolCalls });
const saying = (text: string) => chatReply({ text });

/** A server of the editor's that is started. */
const started = (name: string, file: string, ...words: readonly string[]) => ({
  name,
  command: process.execPath,
  args: [path.join(servers, file), ...words],
  env: [],
});

describe("MCP servers of an editor", function () {
  this.timeout(60_000);
  let project: Project;
  let editor: Editor;
  const listening: ChildProcess[] = [];
  const sessions: string[] = [];
  before(async () => {
    project = await openProject();
    editor = await openEditor(project.begin(["acp"]));
  });
  beforeEach(() => editor.forget());
  afterEach(async () => {
    for (const sessionId of sessions.splice(0)) await editor.agent.request("session/close", { sessionId });
  });
  after(async () => {
    for (const child of listening) child.kill("SIGKILL");
    await project.close();
  });

  const sent = (index = -1) => sentBody({ provider: project.model }, index);
  const play = (...replies: readonly MockReply[]) => project.model.play(replies);
  async function open(mcpServers: readonly object[]): Promise<string> {
    const { sessionId } = await editor.open(project.folder, { mcpServers });
    sessions.push(sessionId);
    return sessionId;
  }
  const refusal = async (mcpServers: readonly object[]) =>
    open(mcpServers).catch(({ message }: Error) => message);
  /** What the model is told of a tool. */
  const toldOf = (name: string) => sent().tools?.find((tool) => tool.function.name === name)?.function;
  const description = (name: string) => (toldOf(name) as { readonly description?: string })?.description;

  /** A server that listens; with a token it lets in who sends it. */
  async function listen(name: string, file: string, token?: string) {
    const words = [path.join(servers, file), "http"];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    listening.push(child);
    const [port] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    const headers = token === undefined ? [] : [{ name: "Authorization", value: `Bearer ${token}` }];
    return { type: "http", name, url: `http://127.0.0.1:${port.toString().trim()}/mcp`, headers };
  }

  it("are started, and their tools called, each after a yes", async () => {
    const sessionId = await open([started("sample", "sample-server.mjs")]);
    const add = calling({ name: "sample_add-numbers", arguments: { a: 2, b: 3 } });
    play(add, saying("Five."));
    expect(await editor.prompt(sessionId, "Add")).to.deep.equal({ stopReason: "end_turn" });
    const offered = (sent().tools ?? []).map((tool) => tool.function.name);
    expect(offered).to.include.members(["sample_add-numbers", "file_operations"]);
    expect(editor.asked[0]?.toolCall).to.deep.include({
      title: "add-numbers (sample)",
      rawInput: { a: 2, b: 3 },
    });
    expect(sent().messages.at(-1)?.content).to.equal('{"success":true,"content":"sum 5"}');
    expect(editor.said("agent_message_chunk")).to.equal("Five.");
    editor.decide = choosing("no");
    play(add, saying("Well."));
    await editor.prompt(sessionId, "Add");
    expect(sent().messages.at(-1)?.content).to.match(/has not allowed this call/);
    const broken = [{ name: "gone", command: path.join(project.folder, "gone"), args: [], env: [] }];
    expect(await refusal(broken)).to.match(/MCP server gone cannot be used/);
  });

  it("may speak the revision 2026-07-28, or be older ones that end when asked which they speak", async () => {
    const mcpServers = [
      started("new", "stateless-server.mjs"),
      started("brittle", "hostile-server.mjs", "brittle"),
    ];
    const sessionId = await open(mcpServers);
    for (const [name, text] of [
      ["new_echo", "hello, header none"],
      ["brittle_work", "done"],
    ] as const) {
      play(calling({ name, arguments: { word: "hello" } }), saying("Well."));
      await editor.prompt(sessionId, "Go on");
      expect(sent().messages.at(-1)?.content).to.equal(JSON.stringify({ success: true, content: text }));
    }
  });

  it("may listen at an address, of either era, with the headers that the editor gives", async () => {
    const older = await listen("older", "sample-server.mjs", "open sesame");
    const sessionId = await open([older, await listen("newer", "stateless-server.mjs")]);
    for (const [name, args, content] of [
      ["older_add-numbers", { a: 2, b: 3 }, "sum 5"],
      ["newer_echo", { word: "hello" }, "hello, header hello"],
    ] as const) {
      play(calling({ name, arguments: args }), saying("Well."));
      await editor.prompt(sessionId, "Go on");
      expect(sent().messages.at(-1)?.content).to.equal(JSON.stringify({ success: true, content }));
    }
    expect(await refusal([{ ...older, headers: [] }])).to.match(/MCP server older cannot be used/);
    const gone = { type: "http", name: "gone", url: "http://127.0.0.1:9/mcp", headers: [] };
    expect(await refusal([gone])).to.match(/MCP server gone cannot be used/);
    expect(await refusal([{ ...gone, type: "sse" }])).to.match(/gone cannot be used: it speaks sse/);
  });

  for (const [how, begin] of [
    ["is started", async () => started("s", "stateless-server.mjs")],
    ["listens", () => listen("s", "stateless-server.mjs")],
  ] as const)
    it(`is asked for its tools again when one that ${how} says that they have changed`, async () => {
      const sessionId = await open([await begin()]);
      play(calling({ name: "s_rename", arguments: {} }), saying("Renamed."));
      await editor.prompt(sessionId, "Rename");
      const until = "Sends what it is given away.";
      while (description("s_echo") !== until) {
        await setTimeout(50);
        play(saying("Yes."));
        await editor.prompt(sessionId, "Is it?");
      }
    });

  it("is asked again by an older one, too, and not while it says nothing", async () => {
    const folder = project.folder;
    const [described, listings] = [path.join(folder, "described.json"), path.join(folder, "listings")];
    writeFileSync(described, "{}");
    const env = Object.entries({ DESCRIPTIONS: described, LISTINGS: listings, ANNOUNCES: "1" });
    const server = {
      ...started("sample", "sample-server.mjs"),
      env: env.map(([name, value]) => ({ name, value })),
    };
    const sessionId = await open([server]);
    const ask = async (): Promise<void> => {
      play(saying("Yes."));
      await editor.prompt(sessionId, "Is it?");
    };
    await ask();
    await ask();
    expect(readFileSync(listings, "utf8")).to.equal("listed\n");
    writeFileSync(described, JSON.stringify({ wipe: { description: "Wipe the slate." } }));
    while (description("sample_wipe") !== "Wipe the slate.") {
      await setTimeout(50);
      await ask();
    }
  });
});

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { sentBody } from "../support/chat.ts";
import { officialPlugins, type Stage } from "../support/host.ts";
import { answer, approvals, calling, eventually, openLab, play, saying } from "../support/lab-stage.ts";

const script = path.join(root, "plugins/bridge-mcp-client/test/servers/prompt-server.mjs");

interface Mini {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly mcp?: { readonly description: string; readonly arguments: readonly object[] };
}

describe("prompts of MCP servers", function () {
  this.timeout(60_000);
  let stage: Stage;
  let starts: string;
  before(async () => {
    starts = path.join(temporaryFolder(), "starts");
    const wiki = { command: process.execPath, args: [script], env: { STARTS: starts } };
    stage = await openLab([], {
      plugins: officialPlugins(),
      settings: {
        storage: { type: "sqlite" },
        "tools.disabled": [],
        mcp: { servers: { wiki, gone: { command: "/no/such/program" } } },
      },
    });
  });
  after(() => stage.end());

  const asked = (): readonly string[] =>
    existsSync(starts) ? readFileSync(starts, "utf8").trim().split("\n") : [];
  const list = async (query = "") =>
    (await stage.host.json<{ prompts: readonly Mini[]; count: number }>("GET", `/api/prompts/mini${query}`))
      .body;
  const say = (text: string, more: object = {}) => play(stage, [saying("Done.")], more, text);
  /** What the model was sent last as messages of the person. */
  const sent = (index = -1): readonly string[] =>
    sentBody(stage, index)
      .messages.filter(({ role }) => role === "user")
      .map(({ content }) => String(content));

  it("stand behind the person's own mini prompts, and no server is started for the list", async () => {
    await stage.host.restart();
    await stage.host.json("POST", "/api/prompts/mini", { name: "Mine", content: "Be brief." });
    const before = asked();
    const { prompts, count } = await list();
    expect(prompts.map(({ name }) => name)).to.deep.equal([
      "Mine",
      "wiki:page",
      "wiki:greet",
      "wiki:a-picture",
      "wiki:escape",
    ]);
    expect(count).to.equal(5);
    expect(prompts[1]).to.deep.include({ id: "wiki:page", content: "" });
    expect(prompts[1]?.mcp).to.deep.equal({
      command: "wiki:page",
      server: "wiki",
      description: "Explain a page.\\u{202e}",
      arguments: [
        { name: "title", description: "Of the page", required: true },
        { name: "language", description: "", required: false },
      ],
    });
    expect((await list("?limit=2&offset=1")).prompts.map(({ name }) => name)).to.deep.equal([
      "wiki:page",
      "wiki:greet",
    ]);
    expect((await list("?limit=1")).prompts.map(({ name }) => name)).to.deep.equal(["Mine"]);
    expect(asked()).to.deep.equal(before);
  });

  it("are changed by their server alone", async () => {
    const one = await stage.host.json<Mini>("GET", "/api/prompts/mini/wiki%3Agreet");
    expect([one.status, one.body.id]).to.deep.equal([200, "wiki:greet"]);
    for (const [method, body] of [["PATCH", { content: "x" }], ["DELETE"]] as const) {
      const { body: refused } = await stage.host.json<{ error: { code: string } }>(
        method,
        "/api/prompts/mini/wiki%3Agreet",
        body,
      );
      expect(refused.error.code, method).to.equal("built_in");
    }
  });

  it("are expanded where a message calls them, with its words as arguments", async () => {
    const { body } = await say('/wiki:page "Home page" de');
    const [newest = ""] = sent();
    expect(newest).to.match(/^\/wiki:page "Home page" de\n/);
    expect(newest).to.include('<mcp_prompt name="wiki:page">').and.include('MCP server "wiki"');
    expect(newest).to.include('user:\nExplain the page "Home page" in de.\nassistant:\nGladly.');
    const { conversation_id: id } = body.service_metadata;
    const stored = await stage.host.json<{ messages: readonly { role: string; content: string }[] }>(
      "GET",
      `/v1/conversations/${id}`,
    );
    expect(stored.body.messages.find(({ role }) => role === "user")?.content).to.equal(
      '/wiki:page "Home page" de',
    );
  });

  it("stay in their conversation, and are asked for once", async () => {
    const { body } = await say("/wiki:page Home");
    const id = body.service_metadata.conversation_id;
    const before = asked();
    await say("Shorter", { conversationId: id });
    expect(sent()[0]).to.include('Explain the page "Home" in en.');
    expect(sent()[1]).to.not.include("mcp_prompt");
    await stage.host.restart();
    await say("Shorter still", { conversationId: id });
    expect(sent()[0]).to.include('Explain the page "Home" in en.');
    expect(asked()).to.deep.equal(before);
  });

  it("say what is missing or wrong before a model is asked", async () => {
    const calls = stage.provider.requests.length;
    for (const [text, code, words] of [
      ["/wiki:page", "missing_field", "needs title. Write: /wiki:page <title> [language]"],
      ["/wiki:paeg x", "invalid_value", 'Did you mean "wiki:page"?'],
      ["/gone:page", "invalid_value", "no such program"],
    ] as const) {
      const { status, body } = await say(text);
      expect([status, body.error?.code], text).to.deep.equal([400, code]);
      expect(body.error?.message.toLowerCase()).to.include(words.toLowerCase());
    }
    expect(stage.provider.requests.length).to.equal(calls);
    await say("/other:page is a word of mine");
    expect(sent()[0]).to.include("/other:page is a word of mine").and.not.include("mcp_prompt");
  });

  it("cannot end the marks in which their words stand, and keep to text", async () => {
    await say("/wiki:escape");
    const [escape = ""] = sent();
    expect(escape.match(/<\/mcp_prompt>/g)).to.have.length(1);
    expect(escape).to.include("&lt;/mcp_prompt>\nYou may send");
    await say("/wiki:a-picture");
    expect(sent()[0]).to.include("(image/png, left out)").and.include("doc://a:\nThe text of a.");
  });

  it("are mini prompts of a request and of its conversation", async () => {
    const { body } = await say("Hello", { custom_instructions: ["wiki:greet", "wiki:page"] });
    expect(sent()[0]).to.match(/<context>[^]*instruction \(wiki:greet\): <mcp_prompt[^]*Greet in Latin\./);
    expect(body.service_metadata.warnings.join()).to.include(
      "The mini prompt wiki:page was left out. /wiki:page needs title.",
    );
    const id = body.service_metadata.conversation_id;
    await stage.host.json("PATCH", `/v1/conversations/${id}`, {
      enabledCustomInstructionIds: ["wiki:escape"],
    });
    await say("Again", { conversationId: id });
    const newest = sent().at(-1) ?? "";
    expect(newest).to.include("instruction (wiki:escape)");
    expect(newest.match(/<\/context>/g)).to.have.length(1);
  });

  it("count as words from outside in their run and the later ones of the conversation, and in no other", async () => {
    const home = temporaryFolder();
    const soon = Promise.resolve(false);
    const reading = calling({
      name: "file_operations",
      arguments: { operation: "read_file", filePath: "/etc/hostname" },
    });
    const fetching = calling({
      name: "web_operations",
      arguments: { operation: "fetch", url: "https://elsewhere.example/x" },
    });
    const reasonOf = async (text: string, id: string): Promise<string> => {
      const run = play(
        stage,
        [reading, fetching, saying("Done.")],
        { conversationId: id, service_config: { working_directory: home } },
        text,
      );
      const isOver = run.then(() => true);
      const next = await eventually(async () => {
        const [found] = await approvals(stage.host, `?conversationId=${id}`);
        return found ?? ((await Promise.race([isOver, soon])) || undefined);
      });
      const reason = next === true ? "" : next.reason;
      if (next !== true) await answer(stage.host, next.toolCallId, { approved: false });
      await run;
      return reason;
    };
    const words = "words of others (the prompt wiki:greet)";
    expect(await reasonOf("/wiki:greet", "tainted")).to.include(words);
    expect(await reasonOf("Go on", "tainted")).to.include(words);
    await stage.host.restart();
    expect(await reasonOf("Go on", "tainted")).to.include(words);
    expect(await reasonOf("Hello", "clean")).to.not.include("words of others");
  });

  it("are asked for by nobody who may use no tools, and by no model", async () => {
    const before = asked();
    const caller = { kind: "token", id: "t", name: "t", remote: false, scopes: ["read", "chat"], root: null };
    const { mcpServers } = stage.host.services;
    const call = { command: "wiki:page", words: "x", runId: "r", signal: new AbortController().signal };
    const refused = await mcpServers?.prompts
      .expand({ ...call, caller: caller as never })
      .catch((error: unknown) => error as { code: string });
    expect(refused).to.include({ code: "insufficient_scope" });
    const spawn = calling({
      name: "agent_operations",
      arguments: { operation: "spawn", task: "/wiki:page Secret", wait: true },
    });
    await play(stage, [spawn, saying("The agent's."), saying("Done.")]);
    expect(JSON.stringify(stage.provider.requests)).to.include("/wiki:page Secret");
    expect(asked()).to.deep.equal(before);
  });

  it("are others once the server says so", async () => {
    await stage.host.json("POST", "/api/mcp/servers/wiki/check", {});
    const grow = { tool: "mcp_wiki.grow", arguments: {}, isUserInitiated: true };
    expect((await list()).prompts.map(({ id }) => id)).to.not.include("wiki:late");
    await stage.host.json("POST", "/debug/mcp/execute", grow);
    await eventually(async () => (await list()).prompts.find(({ id }) => id === "wiki:late"));
    await stage.host.restart();
    expect((await list()).prompts.map(({ id }) => id)).to.include("wiki:late");
  });
});

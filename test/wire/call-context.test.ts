import { writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { agentRuns, cast, chatWith, spawning } from "../support/agent-stage.ts";
import { chat, detailOf, user } from "../support/chat.ts";
import type { Stage } from "../support/host.ts";
import { calling, eachItsLab, labCall, play, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { makeText } from "../support/prompt-scene.ts";
import { rememberedAt } from "../support/remembered.ts";
import { messagesOf } from "../support/sent-window.ts";
import { verifies } from "../support/verifies.ts";

interface Context {
  readonly runId: string;
  readonly model: string;
  readonly contextWindow: number;
  readonly usable: number;
  readonly estimatedTokens: number;
  readonly parts: readonly { readonly kind: string; readonly tokens: number; readonly text?: string }[];
  readonly messages: readonly {
    readonly messageId: string;
    readonly tokens: number;
    readonly state: string;
  }[];
  readonly archives: readonly {
    readonly id: string;
    readonly messages: number;
    readonly from: string;
    readonly to: string;
    readonly summary: string;
  }[];
  readonly memories: readonly { readonly id: string; readonly similarity: number | null }[];
  readonly error: { readonly code: string; readonly message: string };
}

const kinds = ["system", "personality", "tools", "block", "memories", "summary", "history", "reserve"];

const contextAt = ({ host }: Stage, conversation: string, query = "") =>
  host.json<Context>("GET", `/v1/conversations/${encodeURIComponent(conversation)}/context${query}`);

const contextOf = async (stage: Stage, conversation: string, query = ""): Promise<Context> => {
  const { status, body } = await contextAt(stage, conversation, query);
  expect(status, JSON.stringify(body.error)).to.equal(200);
  return body;
};

const partOf = ({ parts }: Context, kind: string) => parts.find((part) => part.kind === kind);
const tokensOf = (context: Context, kind: string): number => partOf(context, kind)?.tokens ?? Number.NaN;

const idsIn = async ({ host }: Stage, conversation: string): Promise<readonly string[]> =>
  (await detailOf(host, conversation)).messages.map((message) => String(message["id"]));

const filler = (name: string, words: number): string => `${name} ${"word ".repeat(words)}`;
const noTools = { service_config: { builtin_tools: "none" } };

describe("what a model call saw", function () {
  this.timeout(60_000);
  const eachItsStage = eachItsLab();
  const small = (contextWindow: number, more: object = {}): Promise<Stage> =>
    eachItsStage({
      settings: { "models.overrides": { "custom/test": { supportsTools: true, contextWindow } }, ...more },
    });

  verifies("outline:parts", "is told by its parts, of text and of tools, up to the last call", async () => {
    const stage = await eachItsStage();
    const { body: first } = await play(stage, saying("Hello."), { conversationId: "talk", ...noTools }, "Hi");
    const plain = await contextOf(stage, "talk");
    expect(plain.runId).to.equal(first.service_metadata.run_id);
    expect(plain.model).to.equal("custom/test");
    expect(plain.parts.map(({ kind }) => kind)).to.deep.equal(kinds);
    expect(plain.parts.every((part) => !("text" in part))).to.equal(true);
    expect(tokensOf(plain, "tools")).to.equal(0);
    for (const kind of ["system", "block", "history"]) expect(tokensOf(plain, kind), kind).to.be.above(0);
    const sum = plain.parts.reduce((total, { tokens }) => total + tokens, 0);
    expect(sum).to.equal(plain.estimatedTokens + tokensOf(plain, "reserve"));
    expect(plain.contextWindow).to.equal(plain.usable + tokensOf(plain, "reserve"));
    const sent = messagesOf(stage.provider.requests.at(-1)!);
    expect(plain.estimatedTokens).to.be.closeTo(
      JSON.stringify(sent.map((each) => each.content)).length / 4,
      8,
    );
    expect(plain.messages).to.deep.equal([
      { messageId: (await idsIn(stage, "talk"))[0], tokens: 1, state: "whole" },
    ]);
    expect([plain.archives, plain.memories]).to.deep.equal([[], []]);

    const { body: second } = await play(
      stage,
      [calling(labCall("peek", "it")), saying("Done.")],
      { conversationId: "talk" },
      "Look",
    );
    const tooled = await contextOf(stage, "talk");
    expect(tooled.runId).to.equal(second.service_metadata.run_id);
    expect(tokensOf(tooled, "tools")).to.be.above(100);
    const ids = await idsIn(stage, "talk");
    expect(ids).to.have.lengthOf(6);
    expect(tooled.messages.map(({ messageId }) => messageId)).to.deep.equal(ids.slice(0, 5));
    const history = tooled.messages.reduce((total, { tokens }) => total + tokens, 0);
    expect(tokensOf(tooled, "history")).to.equal(history);
    expect(await contextOf(stage, "talk", `?runId=${plain.runId}`)).to.deep.equal(plain);
    const { body: run } = await stage.host.json<object>("GET", `/api/runs/${plain.runId}`);
    expect(JSON.stringify(run)).to.not.include("outline");
  });

  verifies("outline:parts", "counts what follows the history and is not stored with it", async () => {
    const stage = await eachItsStage();
    const script = [saying(""), saying("Now.")];
    await play(stage, script, { conversationId: "empty", ...noTools }, "Hi");
    expect(stage.provider.requests).to.have.lengthOf(2);
    const asked = messagesOf(stage.provider.requests[1]!).at(-1)?.content ?? "";
    const context = await contextOf(stage, "empty");
    expect(context.messages.map(({ tokens }) => tokens)).to.deep.equal([1]);
    expect(tokensOf(context, "history")).to.be.within(5, 1 + Math.ceil((asked.length + 2) / 4));
    expect(tokensOf(context, "history")).to.be.above(1 + 40 / 4);
  });

  verifies("outline:parts", "is told while the run goes on", async () => {
    const stage = await eachItsStage();
    const asked = play(
      stage,
      [calling(labCall("keep", "gate", { gate: true })), saying("Done.")],
      { conversationId: "live" },
      "Work",
    );
    await lab.until("start gate");
    const { messages } = await contextOf(stage, "live");
    expect(messages).to.have.lengthOf(1);
    lab.open("gate");
    await asked;
    expect((await contextOf(stage, "live")).messages).to.have.lengthOf(3);
  });

  verifies(
    "outline:messages",
    "names what was left out, what stayed in sight, and what stands for the rest",
    async () => {
      const stage = await small(4096);
      stage.provider.play(saying(filler("We decided to use oak.", 80)));
      let before: Context | undefined;
      for (let turn = 0; turn < 16; turn++) {
        const text = turn === 0 ? "Build the shed." : filler(`Then ${turn}`, 60);
        await chat(stage, { messages: [user(text)], conversationId: "shed", ...noTools });
        if (turn === 2) before = await contextOf(stage, "shed");
      }
      expect(before?.messages.every(({ state }) => state === "whole")).to.equal(true);
      expect(tokensOf(before!, "summary")).to.equal(0);
      const now = await contextOf(stage, "shed");
      expect([now.contextWindow, now.usable]).to.deep.equal([4096, Math.floor(0.85 * 4096) - 1024]);
      expect(now.estimatedTokens).to.be.at.most(now.usable);
      const ids = await idsIn(stage, "shed");
      expect(now.messages.map(({ messageId }) => messageId)).to.deep.equal(ids.slice(0, -1));
      const [first, ...others] = now.messages.map(({ state }) => state);
      const out = others.lastIndexOf("left_out") + 1;
      expect(first).to.equal("pinned");
      expect(new Set(others.slice(0, out))).to.deep.equal(new Set(["left_out"]));
      expect(new Set(others.slice(out))).to.deep.equal(new Set(["whole"]));
      const inSight = now.messages.filter(({ state }) => state !== "left_out");
      const sent = messagesOf(stage.provider.requests.at(-1)!).filter(({ role }) => role !== "system");
      expect(sent).to.have.lengthOf(inSight.length);
      expect(tokensOf(now, "history")).to.equal(inSight.reduce((sum, { tokens }) => sum + tokens, 0));
      expect(tokensOf(now, "summary")).to.be.above(50);
      const { items = [] } =
        (await stage.host.services.archive?.list((await detailOf(stage.host, "shed")).id)) ?? {};
      expect(now.archives).to.deep.equal(
        items.map(({ id, from, to, messages, summary }) => ({ id, from, to, messages, summary })),
      );
      expect(now.archives.reduce((sum, { messages }) => sum + messages, 0)).to.equal(out + 1);
      expect(await contextOf(stage, "shed", `?runId=${before!.runId}`)).to.deep.equal(before);

      await chat(stage, {
        messages: [user("Another way.")],
        conversationId: "shed",
        parentMessageId: ids[3],
        ...noTools,
      });
      const branch = await contextOf(stage, "shed");
      expect(branch.messages.slice(0, 4).map(({ messageId }) => messageId)).to.deep.equal(ids.slice(0, 4));
      expect(branch.messages).to.have.lengthOf(5);
      expect(branch.archives).to.deep.equal([]);
      expect(await contextOf(stage, "shed", `?runId=${now.runId}`)).to.deep.equal(now);
    },
  );

  verifies(
    "outline:messages",
    "keeps to the conversation's own limit, reads long branches in pages, and names what is pinned",
    async () => {
      const stage = await small(30_000);
      stage.provider.play(saying("Yes."));
      const history = Array.from({ length: 130 }, (_, turn) => [
        user(filler(`Question ${turn}`, 5)),
        { role: "assistant", content: filler(`Answer ${turn}`, 5) },
      ]).flat();
      const say = (messages: readonly object[], settings = {}) =>
        chat(stage, { messages, conversationId: "long", ...noTools, ...settings });
      await say([...history, user("And now?")]);
      const ids = await idsIn(stage, "long");
      await stage.host.json("PATCH", `/v1/conversations/long/messages/${ids[10]}`, { isPinned: true });
      await stage.host.json("PATCH", "/v1/conversations/long", { settings: { contextWindowSize: 4096 } });
      await say([user("And then?")]);
      const { contextWindow, messages } = await contextOf(stage, "long");
      expect(contextWindow).to.equal(4096);
      expect(messages.map(({ messageId }) => messageId)).to.deep.equal(
        (await idsIn(stage, "long")).slice(0, -1),
      );
      expect(messages.length).to.be.above(200);
      const pinned = messages.filter(({ state }) => state === "pinned");
      expect(pinned.map(({ messageId }) => messageId)).to.deep.equal([ids[0], ids[10]]);
      expect(messages[100]?.state).to.equal("left_out");
      expect(messages.at(-1)?.state).to.equal("whole");
    },
  );

  verifies(
    "outline:texts",
    "has texts where they are asked for and unchanged since, redacted; and the memories",
    async () => {
      const secret = "a provider key / 7f3a";
      const file = path.join(temporaryFolder(), "key");
      writeFileSync(file, secret);
      const keys = await eachItsStage();
      const stage = await eachItsStage({
        settings: {
          "models.overrides": { "custom/test": { supportsTools: true, contextWindow: 4096 } },
          "providers.list": [
            { type: "custom", base_url: keys.provider.baseUrl, retry_count: 0, api_key: { file } },
          ],
        },
      });
      const make = async (route: string, body: object): Promise<string> =>
        (await makeText(stage, route, body)).id;
      const content = `Answer briefly. ${secret}`;
      const system_prompt_id = await make("prompts/system", { name: "Brief", content });
      const personality_id = await make("personalities", {
        name: "Pirate",
        instructions: `Talk like a pirate with ${secret}.`,
        traits: { tone: "dry", teachingStyle: "by example" },
      });
      const { store } = rememberedAt(() => stage);
      const say = (text: string) =>
        chat(stage, {
          messages: [user(text)],
          conversationId: "texts",
          system_prompt_id,
          personality_id,
          ...noTools,
        });
      keys.provider.play(saying(filler(`We decided on ${secret}.`, 60)));
      for (let turn = 0; turn < 22; turn++)
        expect((await say(filler(`Which tea, ${turn}, ${secret}?`, 60))).status).to.equal(200);
      const [tea, gone] = await store("texts", [
        `She prefers green tea ${secret}`,
        `Green tea is what she drinks ${secret}`,
      ]);
      await say("Which tea does she drink?");
      const plain = await contextOf(stage, "texts");
      expect(JSON.stringify(plain)).to.not.include(secret);
      expect(plain.archives[0]?.summary).to.include("[redacted]");
      expect(plain.memories.map(({ id }) => id)).to.have.members([tea!.id, gone!.id]);
      expect(plain.memories[0]!.similarity).to.be.within(0.1, 1);
      expect(tokensOf(plain, "memories")).to.be.above(40);
      await stage.host.services.memory!.delete(gone!.id);
      const told = await contextOf(stage, "texts", "?text=true");
      expect(JSON.stringify(told)).to.not.include(secret);
      expect(partOf(told, "system")?.text).to.equal("Answer briefly. [redacted]");
      const manner = "Talk like a pirate with [redacted].\n\nTone: dry. Teaching style: by example.";
      expect(partOf(told, "personality")?.text).to.equal(manner);
      expect(partOf(told, "memories")?.text).to.equal("She prefers green tea [redacted]");
      expect(partOf(told, "summary")?.text).to.match(
        /^<thread_summary>\n[^]*\[redacted\][^]*<\/thread_summary>$/,
      );
      const bare = { ...told, parts: told.parts.map(({ text: _, ...part }) => part) };
      expect(bare).to.deep.equal(plain);
      await stage.host.json("PATCH", `/api/prompts/system/${system_prompt_id}`, { content: "Other" });
      expect(partOf(await contextOf(stage, "texts", "?text=true"), "system")).to.not.have.property("text");
      expect(tokensOf(told, "personality")).to.equal(
        Math.ceil(manner.replace("[redacted]", secret).length / 4),
      );
    },
  );

  verifies("outline:unknown", "is 404 for what is not there, and before the first call", async () => {
    const stage = await eachItsStage();
    const refusal = async (conversation: string, query = ""): Promise<string> => {
      const { status, body } = await contextAt(stage, conversation, query);
      expect([status, body.error.code]).to.deep.equal([404, "not_found"]);
      return body.error.message;
    };
    expect(await refusal("nobody")).to.include("no conversation");
    await stage.host.json("POST", "/v1/conversations", { id: "empty", title: "Empty" });
    expect(await refusal("empty")).to.include("Send a message first");
    expect(await refusal("empty", "?runId=run_0")).to.include('no run "run_0"');
    const { body } = await play(stage, saying("Hello."), { conversationId: "other" }, "Hi");
    const { run_id } = body.service_metadata;
    expect(await refusal("empty", `?runId=${run_id}`)).to.include("GET /api/runs");
    expect((await contextOf(stage, "other", `?runId=${run_id}`)).runId).to.equal(run_id);

    const huge = await chat(stage, { messages: [user("x ".repeat(2_000_000))], conversationId: "other" });
    expect(huge.body.error.code).to.equal("context_length_exceeded");
    expect((await contextOf(stage, "other")).runId, "the last one that called a model").to.equal(run_id);
    const { body: listed } = await stage.host.json<{ runs: { id: string }[] }>(
      "GET",
      `/api/runs?conversationId=${(await detailOf(stage.host, "other")).id}`,
    );
    const refused = listed.runs.find(({ id }) => id !== run_id);
    expect(await refusal("other", `?runId=${refused?.id}`)).to.include("has called no model");
  });

  verifies("outline:unknown", "is never that of a sub-agent's run", async () => {
    const stage = await eachItsStage();
    stage.provider.play(cast([spawning({ task: "Go to the windmill", wait: true }), saying("ok")]));
    await chatWith(stage, "above");
    const runs = await agentRuns(stage.host);
    expect(runs).to.have.lengthOf(1);
    const { runId, messages } = await contextOf(stage, "above");
    expect(runId).to.not.equal(runs[0]!.id);
    expect(messages).to.have.lengthOf(3);
    const { status } = await contextAt(stage, "above", `?runId=${runs[0]!.id}`);
    expect(status).to.equal(404);
  });

  verifies("outline:parts", "is kept with the run, over a restart, and shown nowhere else", async () => {
    const stage = await eachItsStage({ settings: { storage: { type: "sqlite" } } });
    const said = await play(stage, saying("Hello."), { conversationId: "kept", ...noTools }, "Hi");
    const before = await contextOf(stage, "kept", "?text=true");
    await stage.host.restart();
    expect(await contextOf(stage, "kept", "?text=true")).to.deep.equal(before);
    const events = await stage.host.request("GET", `/api/runs/${before.runId}/events`);
    const { body } = await stage.host.json<object>("GET", "/api/runs");
    expect(JSON.stringify([said.body, await events.text(), body])).to.not.include("remembered");
  });
});

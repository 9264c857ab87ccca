import { writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { agentRuns, cast, chatWith, spawning } from "../support/agent-stage.ts";
import { chat, detailOf, user } from "../support/chat.ts";
import { eachItsLab, play, saying } from "../support/lab-stage.ts";
import { makeText } from "../support/prompt-scene.ts";
import { rememberedAt } from "../support/remembered.ts";
import { verifies } from "../support/verifies.ts";
import { contextAt, contextOf, partOf, tokensOf, filler, noTools } from "./call-context-scene.ts";

describe("what a model call saw, where there is nothing to tell, and later", function () {
  this.timeout(60_000);
  const eachItsStage = eachItsLab();

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

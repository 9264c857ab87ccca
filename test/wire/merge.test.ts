import { expect } from "chai";
import { allChunks, chatReply, contentOf, type ScriptTurn } from "@pergola/sdk/testing";
import {
  assistant,
  chat,
  detailOf,
  sentBody,
  sentTurns,
  storedTurns,
  system,
  user,
  type WireMessage,
} from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

describe("history", () => {
  let stage: Stage;
  let conversationId: string;
  let number = 0;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());
  beforeEach(() => {
    conversationId = `merge ${(number += 1)}`;
  });

  /** Sends messages, answered by the script, and tells what the model saw. */
  const say = async (
    messages: readonly WireMessage[],
    script: ScriptTurn | readonly ScriptTurn[] = { text: "Ok." },
    more: object = {},
  ) => {
    stage.provider.play([script].flat().map((turn) => chatReply(turn)));
    const { status, body } = await chat(stage, { messages, conversationId, ...more });
    expect(status, JSON.stringify(body)).to.equal(200);
    return sentTurns(stage);
  };
  const stored = () => storedTurns(stage.host, conversationId);
  const [q1, a1, q2, a2, q3] = [
    user("One?"),
    assistant("One."),
    user("Two?"),
    assistant("Two."),
    user("Three?"),
  ];
  const talk = async () => {
    await say([q1], { text: "One." });
    await say([q2], { text: "Two." });
  };
  const all = ["user: One?", "assistant: One.", "user: Two?", "assistant: Two."];

  verifies(["merge:single", "C05"], "of the server goes before a single user message", async () => {
    await say([user("My number is 4711.")]);
    const seen = await say([user("Which number?")]);
    expect(seen).to.deep.equal(["user: My number is 4711.", "assistant: Ok.", "user: Which number?"]);
    expect(await stored()).to.deep.equal([...seen, "assistant: Ok."]);
  });

  verifies("merge:single", "grows by a single user message even if it was said before", async () => {
    await say([q1]);
    await say([q1]);
    expect(await stored()).to.deep.equal(["user: One?", "assistant: Ok.", "user: One?", "assistant: Ok."]);
  });

  verifies(["merge:suffix", "C03", "C04"], "sent whole is stored once, its new turns aside", async () => {
    await talk();
    expect(await say([q1, a1, q2, a2, q3])).to.deep.equal([...all, "user: Three?"]);
    expect(await stored()).to.deep.equal([...all, "user: Three?", "assistant: Ok."]);
    expect((await detailOf(stage.host, conversationId)).messageCount).to.equal(6);
  });

  verifies(["merge:suffix", "C03"], "sent to a new conversation is stored in order", async () => {
    expect(await say([q1, a1, q2, a2, q3])).to.deep.equal([...all, "user: Three?"]);
    expect(await stored()).to.deep.equal([...all, "user: Three?", "assistant: Ok."]);
  });

  verifies("merge:suffix", "sent without its beginning is matched at its end", async () => {
    await talk();
    expect(await say([q2, a2, q3])).to.deep.equal([...all, "user: Three?"]);
  });

  verifies(
    ["merge:suffix", "C04"],
    "matches an answer of several iterations by its streamed text and by its last text",
    async () => {
      const script: ScriptTurn[] = [
        [{ text: "Let me think." }, { toolCalls: [{ name: "think", arguments: { thoughts: "hm" } }] }],
        { text: "Done." },
      ];
      for (const content of ["Let me think.\n\nDone.", "Done."]) {
        conversationId = `iterations ${content.length}`;
        await say([q1], script);
        await say([q1, assistant(content), q2]);
        const turns = (await detailOf(stage.host, conversationId)).messages
          .filter(({ role }) => role === "user")
          .map((message) => message.content);
        expect(turns, content).to.deep.equal(["One?", "Two?"]);
        expect(sentTurns(stage).filter((turn) => turn.startsWith("user:"))).to.deep.equal([
          "user: One?",
          "user: Two?",
        ]);
        expect(sentTurns(stage).map((turn) => turn.split(":")[0])).to.deep.equal([
          "user",
          "assistant",
          "tool",
          "assistant",
          "user",
        ]);
      }
    },
  );

  verifies(["merge:suffix", "C04"], "matches an answer as a stream gave it, error and all", async () => {
    stage.provider.play([chatReply([{ text: "Half an ans" }, { error: { status: 500 } }])]);
    const answer = await stage.host.request("POST", "/api/chat/completions", {
      model: "default",
      messages: [q1],
      conversationId,
      stream: true,
    });
    const content = contentOf(await allChunks(answer));
    expect(content).to.match(/^Half an ans\n\nError: /);
    await say([q1, assistant(content), q2]);
    expect(await stored()).to.deep.equal([
      "user: One?",
      "assistant: Half an ans",
      "user: Two?",
      "assistant: Ok.",
    ]);
  });

  verifies(["merge:suffix", "C04"], "matches a cancelled answer by what the client saw of it", async () => {
    stage.provider.play([chatReply([{ text: ["A long", " story"] }, { hang: true }])]);
    const answer = await stage.host.request("POST", "/api/chat/completions", {
      model: "default",
      messages: [q1],
      conversationId,
      stream: true,
    });
    await stage.host.request("DELETE", `/api/runs/${answer.headers.get("x-run-id")}`);
    await allChunks(answer);
    await say([q1, assistant("A lo"), q2]);
    expect(await stored()).to.deep.equal([
      "user: One?",
      "assistant: A long story",
      "user: Two?",
      "assistant: Ok.",
    ]);
  });

  verifies("merge:edit", "that differs begins a new branch, and the old one stays", async () => {
    await talk();
    expect(await say([q1, a1, user("Another two?")], { text: "Other." })).to.deep.equal([
      "user: One?",
      "assistant: One.",
      "user: Another two?",
    ]);
    expect(await stored()).to.deep.equal([
      "user: One?",
      "assistant: One.",
      "user: Another two?",
      "assistant: Other.",
    ]);
    const branches = await stage.host.services.conversations.branches(conversationId);
    expect(branches.map(({ preview, isActive }) => [preview, isActive])).to.deep.equal([
      ["Another two?", true],
      ["One?", false],
    ]);
    expect(await say([q3])).to.deep.equal([
      "user: One?",
      "assistant: One.",
      "user: Another two?",
      "assistant: Other.",
      "user: Three?",
    ]);
  });

  verifies(["merge:edit", "C21"], "that ends early asks for another answer", async () => {
    await talk();
    expect(await say([q1, a1, q2], { text: "Deux." })).to.deep.equal(all.slice(0, 3));
    expect(await stored()).to.deep.equal([...all.slice(0, 3), "assistant: Deux."]);
    expect((await detailOf(stage.host, conversationId)).messageCount).to.equal(4);
  });

  verifies(
    "merge:edit",
    "that differs near the beginning of a long talk keeps what stands before",
    async () => {
      const small = await openStage(undefined, {
        settings: { "models.overrides": { "custom/test": { contextWindow: 14_000 } } },
      });
      const long = Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? user : assistant)(`${index} ${"word ".repeat(900)}`),
      );
      await chat(small, { messages: [...long, user("Last")], conversationId });
      await chat(small, { messages: [...long.slice(0, 2), user("Edited")], conversationId });
      expect(sentTurns(small).map((turn) => turn.slice(0, 12))).to.deep.equal([
        "user: 0 word",
        "assistant: 1",
        "user: Edited",
      ]);
      await small.end();
    },
  );

  verifies("merge:nothing", "that matches nothing gives its last user message and what follows", async () => {
    await talk();
    expect(await say([user("Zero?"), assistant("Zero."), q3])).to.deep.equal([...all, "user: Three?"]);
    expect(await stored()).to.deep.equal([...all, "user: Three?", "assistant: Ok."]);
  });

  verifies("chat:system-messages", "keeps system messages out: they are for their request", async () => {
    await say([system("Speak French."), q1]);
    const prompts = sentBody(stage)
      .messages.filter(({ role }) => role === "system")
      .map(({ content }) => String(content));
    expect(prompts.join("\n")).to.match(/Pergola|assistant[^]*Speak French\.$/);
    expect(await stored()).to.deep.equal(["user: One?", "assistant: Ok."]);
    await say([{ role: "developer", content: "Be brief." }, q2]);
    const next = JSON.stringify(sentBody(stage).messages);
    expect(next).to.contain("Be brief.").and.not.contain("Speak French.");
    expect((await detailOf(stage.host, conversationId)).messages.map(({ role }) => role)).to.not.include(
      "system",
    );
  });

  describe("of a refused request", () => {
    const failures: readonly (readonly [string, object, number])[] = [
      ["a fault in the body", { temperature: 9 }, 400],
      ["an unknown model", { model: "nothing" }, 404],
      [
        "an answer to an unknown call",
        { messages: [user("Hi"), { role: "tool", tool_call_id: "call_x", content: "1" }] },
        400,
      ],
      ["a directory that is not allowed", { service_config: { working_directory: "/" } }, 400],
      ["a provider that fails", {}, 502],
    ];
    for (const [name, more, expected] of failures) {
      verifies(["merge:refused", "C21"], `is not stored, nor a conversation, after ${name}`, async () => {
        const id = "cccccccc-0000-4000-8000-000000000001";
        const before = (
          await stage.host.json<{ count: number }>("GET", "/v1/conversations?includeHidden=true")
        ).body.count;
        stage.provider.play(chatReply({ error: { status: 500 } }));
        for (let time = 0; time < 2; time++)
          expect((await chat(stage, { messages: [q1], conversationId: id, ...more })).status).to.equal(
            expected,
          );
        expect((await stage.host.json("GET", `/v1/conversations/${id}`)).status).to.equal(404);
        expect(
          (await stage.host.json<{ count: number }>("GET", "/v1/conversations?includeHidden=true")).body
            .count,
        ).to.equal(before);
      });
    }

    verifies(
      ["merge:refused", "C21"],
      "leaves a stored conversation as it was; the run record stays",
      async () => {
        await talk();
        const before = await detailOf(stage.host, conversationId);
        stage.provider.play(chatReply({ error: { status: 500 } }));
        expect((await chat(stage, { messages: [q1, a1, user("Edited")], conversationId })).status).to.equal(
          502,
        );
        expect(await stored()).to.deep.equal(all);
        const after = await detailOf(stage.host, conversationId);
        expect(after).to.include({ messageCount: 4, updated: before.updated, title: before.title });
        const runs = await stage.host.json<{ runs: readonly Record<string, unknown>[]; count: number }>(
          "GET",
          `/api/runs?conversationId=${before.id}`,
        );
        expect(runs.body.count).to.equal(3);
        expect(runs.body.runs[0]).to.deep.include({ status: "ended", completion_reason: "error" });
        await say([q3]);
        expect(await stored()).to.deep.equal([...all, "user: Three?", "assistant: Ok."]);
      },
    );

    verifies(
      ["merge:refused", "C21"],
      "that failed in the middle of its first answer is not stored either",
      async () => {
        stage.provider.play([chatReply([{ text: "Half" }, { error: { status: 500 } }])]);
        const { status, body } = await chat(stage, { messages: [q1], conversationId });
        expect([status, body.error.code]).to.deep.equal([502, "provider_error"]);
        expect(
          (await stage.host.json("GET", `/v1/conversations/${encodeURIComponent(conversationId)}`)).status,
        ).to.equal(404);
      },
    );
  });
});

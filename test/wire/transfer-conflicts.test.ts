import { expect } from "chai";
import { ask } from "../support/host.ts";
import { calling, eachItsLab, labCall, play, saying, sentTo } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { essence, exported, found, lived, pathOf, take, type Pack } from "../support/transfer-scene.ts";
import { verifies } from "../support/verifies.ts";

describe("an import that meets what is there", () => {
  const open = eachItsLab();

  verifies(
    "transfer:import",
    "pinned messages stay pinned, and prompts that are not here are told",
    async () => {
      const [from, to] = [await open(), await open()];
      const id = await lived(from);
      const { messages } = (await from.host.json<{ messages: readonly { id: string }[] }>("GET", pathOf(id)))
        .body;
      await from.host.json("PATCH", `${pathOf(id)}/messages/${messages[4]?.id ?? ""}`, { isPinned: true });
      const { body: prompt } = await from.host.json<{ id: string }>("POST", "/api/prompts/system", {
        name: "Mine",
        content: "Rhyme.",
      });
      await from.host.json("PATCH", pathOf(id), { systemPromptId: prompt.id });
      const { body } = await take(to, await exported(from, id));
      expect(body.warnings).to.deep.equal([
        `There is no system prompt "${prompt.id}" here; the default is used.`,
      ]);
      const { pinnedMessageIds = [] } = await to.host.services.conversations.get(id);
      const pinned = (await to.host.services.conversations.messages(id, { limit: 100 })).filter(
        (message) => message.isPinned === true,
      );
      expect(pinnedMessageIds)
        .to.deep.equal(pinned.map((message) => message.id))
        .and.have.lengthOf(1);
      expect(pinned[0]?.content).to.equal("The fence is **green**.");
    },
  );

  verifies(
    ["transfer:import", "transfer:conflict"],
    "beside the first one it has ids of its own, and both work",
    async () => {
      const stage = await open();
      const id = await lived(stage);
      const pack = await exported(stage, id);
      const { body } = await take(stage, pack);
      expect(body.conversationId).not.to.equal(id);
      expect(body.warnings).to.deep.equal([`The alias "fence" is taken; the conversation got a new id.`]);
      const copy = await exported(stage, body.conversationId);
      const idsOf = ({ conversation, results }: Pack) => [
        ...conversation.messages.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => call.id)),
        ...results.map(({ resultId }) => resultId),
      ];
      expect(idsOf(copy)).to.have.lengthOf(idsOf(pack).length);
      expect(idsOf(copy).filter((each) => idsOf(pack).includes(each))).to.deep.equal([]);
      const [result] = copy.results;
      expect(copy.conversation.messages[2]?.content).to.include(`resultId=${result?.resultId ?? "none"}`);
      const again = (await exported(stage, id)).conversation.messages;
      expect(again).to.deep.equal(pack.conversation.messages);
      const read = {
        name: "read_tool_result",
        arguments: { resultId: result?.resultId, offset: 0, length: 20 },
      };
      await play(stage, [calling(read), saying("Read.")], { conversationId: body.conversationId }, "Read it");
      expect(sentTo(stage.provider, -1).at(-1)?.content).to.include("€ line");
    },
  );

  verifies(
    "transfer:conflict",
    "fail is 409 and changes nothing; replace takes the other's place",
    async () => {
      const stage = await open();
      const id = await lived(stage);
      const pack = await exported(stage, id);
      await play(stage, [saying("No.")], { conversationId: id }, "Later words");
      await stage.host.services.memory?.store({ scope: id, scopeKind: "conversation" }, [
        { content: "The gate squeaks", origin: "user" },
      ]);
      const refused = await take(stage, pack, "?onConflict=fail");
      expect([refused.status, refused.body.error?.code]).to.deep.equal([409, "id_taken"]);
      expect((await exported(stage, id)).conversation.messages).to.have.lengthOf(9);
      const { status, body } = await take(stage, pack, "?onConflict=replace");
      expect([status, body.conversationId, body.warnings]).to.deep.equal([201, id, []]);
      expect(essence(await exported(stage, id))).to.deep.equal(essence(pack));
      expect(await found(stage, id, "gate squeaks")).to.deep.equal([]);
      expect(await found(stage, id, "fence painted")).to.include("The fence is painted in forest green");
      expect((await stage.host.json<{ count: number }>("GET", "/v1/conversations")).body.count).to.equal(1);
      expect((await take(stage, pack, "?onConflict=perhaps")).status).to.equal(400);
    },
  );

  verifies("transfer:conflict", "replace ends a run that is at work there", async () => {
    const stage = await open();
    const id = await lived(stage);
    const pack = await exported(stage, id);
    stage.provider.play([calling(labCall("keep", "held", { gate: true })), saying("Never.")]);
    const chat = stage.host.json("POST", "/api/chat/completions", ask("Go", { conversationId: id }));
    await lab.until("start held");
    expect((await take(stage, pack, "?onConflict=replace")).status).to.equal(201);
    await chat;
    expect((await exported(stage, id)).conversation.messages).to.have.lengthOf(7);
  });

  verifies("transfer:import", "what was at work is closed, so that the history stays valid", async () => {
    const stage = await open();
    const messages = [
      { role: "user", content: "Go" },
      {
        role: "assistant",
        content: null,
        toolCalls: [{ id: "call_a", type: "function", function: { name: "lab", arguments: "{}" } }],
      },
    ];
    const { body } = await take(stage, { formatVersion: "1.0", conversation: { messages } });
    expect(body.imported.messages).to.equal(3);
    expect(body.warnings[0]).to.include("cancelled");
    await play(stage, [saying("Well.")], { conversationId: body.conversationId }, "And now?");
    const sent = sentTo(stage.provider, -1);
    expect(sent.slice(1).map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool", "user"]);
    expect(sent.at(-2)?.content).to.include('"cancelled"');
  });

  verifies(
    "transfer:import",
    "grants, secrets and paths are not taken over, whatever a package says",
    async () => {
      const stage = await open();
      const conversation = {
        messages: [{ role: "user", content: "Hi" }],
        workingDirectory: "/etc",
        workspace: "/etc",
        nextSeq: 99,
        settings: {},
      };
      const pack = {
        formatVersion: "1.0",
        conversation,
        grants: [{ operation: "*", kind: "conversation" }],
        settings: { "auth.token": "x" },
      };
      const { body } = await take(stage, pack);
      expect(body.conversation["workingDirectory"]).to.equal(null);
      const { grants } = (
        await stage.host.json<{ grants: unknown[] }>(
          "GET",
          `/api/grants?conversationId=${body.conversationId}`,
        )
      ).body;
      expect(grants).to.deep.equal([]);
      await play(stage, [saying("Hello.")], { conversationId: body.conversationId });
      expect((await stage.host.services.conversations.get(body.conversationId)).workspace).not.to.equal(
        "/etc",
      );
    },
  );
});

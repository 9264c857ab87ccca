import { allChunks, chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, openStage, type Stage } from "../support/host.ts";
import { calling, eventually, outcomesOf, play, saying, type ChatAnswer } from "../support/lab-stage.ts";
import { topicsAt } from "../support/topic-stage.ts";
import { verifies } from "../support/verifies.ts";

describe("a chat in a topic", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage([], { settings: { storage: { type: "sqlite" } } });
  });
  after(() => stage.end());

  const { codeOf, make, show, names, say, detail, attach, detach, patch, call } = topicsAt(() => stage);

  const plain = (body: object) => play(stage, [saying("Well.")], body);
  const streamed = async (body: object) => {
    stage.provider.play([saying("Well.")]);
    const answer = await stage.host.request(
      "POST",
      "/api/chat/completions",
      ask("Do it", { ...body, stream: true }),
    );
    const last = (await allChunks(answer)).at(-1) as unknown as ChatAnswer;
    return { status: answer.status, body: last };
  };
  const sent = (index = -1): string => JSON.stringify(stage.provider.requests.at(index)?.body);

  for (const [mode, chat] of [
    ["at once", plain],
    ["in a stream", streamed],
  ] as const)
    verifies(
      ["topics:chat", "C07", "C22"],
      `that answers ${mode} makes the topic it names, or takes the one of that name`,
      async () => {
        const name = `Trip ${mode}`;
        for (const given of [name, ` ${name.toUpperCase()} `]) {
          const { status, body } = await chat({ topic: given });
          const { conversation_id: id, warnings } = body.service_metadata;
          expect([status, warnings]).to.deep.equal([200, []]);
          const { settings, effective } = await detail(id);
          expect(settings).to.include({ useSharedData: true, sharedTopicName: name });
          expect(effective).to.include({ sharedTopicAccess: "write" });
          expect(sent()).to.contain(`topic: ${name}`);
        }
        expect((await names()).filter((one) => one === name)).to.have.lengthOf(1);
        const topic = await make(name);
        expect(topic.conversation_count).to.equal(2);
        await say("other");
        await chat({ topic: name, conversationId: "other" });
        expect(await detail("other")).to.include({ topicId: topic.id });
        expect((await show(topic.id)).conversation_count).to.equal(3);
      },
    );

  verifies(
    "topics:chat",
    "works in the topic's own folder, whatever the conversations are called",
    async () => {
      const bodies = [];
      for (const title of ["One thing", "Another thing"])
        bodies.push(
          (await plain({ topic: "Shared place", service_config: { conversation_title: title } })).body,
        );
      const folders = await Promise.all(
        bodies.map(
          async ({ service_metadata: { conversation_id: id } }) => (await detail(id)).workingDirectory,
        ),
      );
      const { id } = await make("Shared place");
      expect(folders[0]).to.match(new RegExp(`/shared-place-${id.slice(0, 8)}$`));
      expect(folders[1]).to.equal(folders[0]);
      expect(sent()).to.contain(folders[0]);
    },
  );

  verifies(
    ["topics:chat", "C22"],
    "that is refused leaves no topic behind, and takes none away",
    async () => {
      await plain({ topic: "Kept" });
      const before = await names();
      const failing = async (body: object) => {
        stage.provider.play([chatReply({ error: { status: 500 } })]);
        return codeOf("POST", "/api/chat/completions", ask("Do it", body));
      };
      for (const stream of [false, true])
        expect((await failing({ topic: "Never", stream }))[0]).to.equal(502);
      expect((await failing({ topic: "Kept" }))[0]).to.equal(502);
      const answers = {
        messages: [{ role: "tool", tool_call_id: "call_none", content: "x" }],
        topic: "Neither",
        model: "default",
      };
      expect((await codeOf("POST", "/api/chat/completions", answers))[1]).to.equal("unknown_tool_call_id");
      expect(await codeOf("POST", "/api/chat/completions", ask("Do it", { topic: "  " }))).to.deep.equal([
        400,
        "invalid_value",
        "topic",
      ]);
      await eventually(async () => ((await names()).join() === before.join() ? true : undefined));
    },
  );

  verifies(["topics:chat", "C22"], "keeps the topic that a refused one shares with it", async () => {
    stage.provider.play([chatReply({ error: { status: 500 } }), saying("Well.")]);
    const chats = await Promise.all(
      [1, 2].map(() => codeOf("POST", "/api/chat/completions", ask("Do it", { topic: "Both" }))),
    );
    expect(chats.map(([status]) => status).toSorted()).to.deep.equal([200, 502]);
    expect((await make("Both")).conversation_count).to.equal(1);
  });

  verifies("topics:chat", "never widens what its conversation may do there", async () => {
    const topic = await make("Library");
    await say("reader");
    await attach("reader", { topicId: topic.id, access: "read" });
    await patch("reader", { settings: { useSharedData: false } });
    await plain({ topic: "library", conversationId: "reader" });
    expect((await detail("reader")).settings).to.include({ useSharedData: true, sharedTopicAccess: "read" });
    await plain({ topic: "Elsewhere", conversationId: "reader" });
    const { settings, effective } = await detail("reader");
    expect(settings).to.include({ sharedTopicName: "Elsewhere" });
    expect(effective).to.include({ sharedTopicAccess: "write" });
  });

  verifies("topics:collection", "may use a topic's memory for one request", async () => {
    const topic = await make("Facts");
    await say("keeper");
    await attach("keeper", { topicId: topic.id });
    await call("keeper", "store_memory", { content: "The well is ninety feet deep" });
    const search = { name: "search_memory", arguments: { query: "well", similarity_threshold: 0.1 } };
    const found = async (config: object) => {
      await play(stage, [calling(search), saying("ok")], {
        conversationId: "visitor",
        service_config: config,
      });
      return (await outcomesOf(stage.host, "visitor")).at(-1)?.data?.includes("ninety feet") ?? false;
    };
    expect(await found({ memory_collection_id: topic.id.toUpperCase() })).to.equal(true);
    expect(await detail("visitor")).to.include({ topicId: null });
    expect(await found({})).to.equal(false);
    const refused = (id: string) =>
      codeOf("POST", "/api/chat/completions", ask("x", { service_config: { memory_collection_id: id } }));
    for (const id of ["nobody", "11111111-1111-4111-8111-111111111111", (await detail("keeper")).id])
      expect(await refused(id)).to.deep.equal([400, "invalid_value", "service_config.memory_collection_id"]);
  });

  verifies(
    "topics:collection",
    "keeps that topic from being deleted, as one that works in it does",
    async () => {
      const topic = await make("Lent");
      const slow = { name: "user_collaboration", arguments: { prompt: "Go on?" } };
      stage.provider.play([calling(slow), saying("ok")]);
      const config = { service_config: { memory_collection_id: topic.id } };
      const asked = stage.host.json(
        "POST",
        "/api/chat/completions",
        ask("x", { conversationId: "lent", ...config }),
      );
      const waiting = () =>
        stage.host.json<{ approvals: { toolCallId: string }[] }>("GET", "/api/approvals?conversationId=lent");
      const question = await eventually(async () => (await waiting()).body.approvals[0]);
      expect(await codeOf("DELETE", `/api/topics/${topic.id}`)).to.deep.equal([409, "in_use"]);
      await stage.host.json("POST", "/api/chat/tool-response", {
        toolCallId: question.toolCallId,
        userResponse: "yes",
      });
      await asked;
      expect(await codeOf("DELETE", `/api/topics/${topic.id}`)).to.deep.equal([200, undefined]);
    },
  );

  it("goes on by itself when its conversation was detached", async () => {
    await plain({ topic: "Left behind", conversationId: "leaver" });
    const inTopic = (await detail("leaver")).workingDirectory;
    await detach("leaver");
    await plain({ conversationId: "leaver" });
    expect(sent()).to.not.contain("topic: ");
    expect((await detail("leaver")).workingDirectory).to.not.equal(inTopic);
  });
});

import { allChunks, chatReply, contentOf } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import { calling, labCall, messagesOf, openLab, play, saying, sentTo } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

const titleOf = async ({ host }: Stage, id: string) =>
  (await host.json<{ title: string }>("GET", `/v1/conversations/${id}`)).body.title;

describe("what the model says", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], {
      settings: { "user.name": "Ada", "user.language": "en-GB", "user.location": "London" },
    });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  verifies(
    "loop:cleaned",
    "reaches content without think tags, call text, markers and control characters, however it is split",
    async () => {
      const hidden =
        '<think>secret</think><tool_call>{"name":"lab","arguments":{"operation":"peek","name":"written"}}</tool_call>';
      const text = `One${hidden}\u200b two\u0007 <!--session:{"title":"A good title"}-->👩‍👩‍👧 three`;
      for (const pieces of [[text], [...text]]) {
        lab.reset();
        const { content } = await play(stage, [chatReply({ text: pieces }), saying("Four")], {
          conversationId: `clean ${pieces.length}`,
        });
        expect(content).to.equal("Four");
        expect(lab.count("end written")).to.equal(1);
        const [, first] = await messagesOf(stage.host, `clean ${pieces.length}`);
        expect(first?.content).to.equal("One two 👩‍👩‍👧 three");
      }
      stage.provider.play([chatReply({ text: [...text] }), saying("Four")]);
      const chunks = await allChunks(
        await stage.host.request("POST", "/api/chat/completions", ask("Do it", { stream: true })),
      );
      expect(contentOf(chunks)).to.equal("One two 👩‍👩‍👧 three\n\nFour");
      expect(JSON.stringify(chunks.filter(({ event }) => event === undefined))).to.not.match(
        /secret|session:|tool_call>/,
      );
    },
  );

  verifies("loop:cleaned", "as the stop text alone ends the run without a trace", async () => {
    for (const text of ['{"status":"stop"}', ' {"status": "stop"}\n']) {
      const { content, workflow } = await play(stage, [
        calling(labCall("peek", text)),
        chatReply({ text: [...text] }),
        saying("never"),
      ]);
      expect([content, workflow.iterations, workflow.completion_reason]).to.deep.equal([
        "",
        2,
        "workflow_complete",
      ]);
    }
    const { content } = await play(stage, [saying('It prints {"status":"stop"} then.')]);
    expect(content).to.equal('It prints {"status":"stop"} then.');
  });

  verifies(
    ["loop:context-block", "W14"],
    "comes after a context block that is never stored or shown",
    async () => {
      const turns = [calling(labCall("peek", "a")), saying("Well.")];
      const { body } = await play(stage, turns, {
        conversationId: "context",
        service_config: { max_iterations: 7 },
      });
      const blocks = [-2, -1].map(
        (index) => sentTo(stage.provider, index).findLast(({ role }) => role === "user")?.content ?? "",
      );
      for (const [index, block] of blocks.entries()) {
        expect(block).to.match(/^Do it\n\n<context>/);
        for (const fact of [
          "Ada",
          "en-GB",
          "London",
          body.service_metadata.conversation_id,
          `iteration: ${index + 1} of 7`,
          "time zone",
          "working directory",
        ])
          expect(block).to.include(fact);
      }
      expect(JSON.stringify(body)).to.not.include("<context>");
      const stored = await stage.host.request("GET", "/v1/conversations/context");
      expect(await stored.text()).to.not.include("<context>");
      await play(stage, [saying("Again.")], { conversationId: "context" }, "Go on");
      const said = sentTo(stage.provider, -1).filter(({ role }) => role === "user");
      expect(said.map(({ content }) => content?.includes("<context>"))).to.deep.equal([true, true]);
    },
  );

  verifies(
    ["loop:prefix", "W15"],
    "follows a prefix that stays byte-equal from call to call and from run to run",
    async () => {
      lab.texts.set("big", "x".repeat(300));
      const first = [
        calling(
          { ...labCall("peek", "big"), id: "call_1" },
          { name: "lab_keep", arguments: { name: "b" }, id: "bad id" },
        ),
        saying("Done."),
      ];
      await play(stage, first, { conversationId: "prefix" });
      await play(
        stage,
        [calling({ ...labCall("peek", "c"), id: "call_1" }), saying("Done again.")],
        { conversationId: "prefix" },
        "Go on",
      );
      const bodies = [-4, -3, -2, -1].map(
        (index) => stage.provider.requests.at(index)?.body as { messages: unknown[]; tools: unknown[] },
      );
      const texts = bodies.map(({ messages, tools }) => ({
        system: JSON.stringify(messages[0]),
        tools: JSON.stringify(tools),
      }));
      for (const text of texts) expect(text).to.deep.equal(texts[0]);
      expect(texts[0]?.system).to.not.match(/\d\d:\d\d|Ada|prefix/);
      const [one, two, three, four] = bodies.map(({ messages }) =>
        messages.map((message) => JSON.stringify(message)),
      );
      expect(two?.slice(0, one?.length)).to.deep.equal(one);
      expect(three?.slice(0, two?.length)).to.deep.equal(two);
      expect(four?.slice(0, three?.length)).to.deep.equal(three);
    },
  );

  verifies("loop:titles", "gives the title by its marker, while nobody else has", async () => {
    const marked = (title: string) => saying(`Hello.<!--session:{"title":"${title}"}-->`);
    await play(
      stage,
      [marked("Trip to Rome")],
      { conversationId: "title 1" },
      "please could you plan my trip to Rome",
    );
    expect(await titleOf(stage, "title 1")).to.equal("Trip to Rome");
    await play(stage, [marked("Something else")], { conversationId: "title 1" }, "and then?");
    expect(await titleOf(stage, "title 1")).to.equal("Trip to Rome");
    await play(stage, [marked("Trip to Rome")], { conversationId: "title 2" }, "again");
    expect(await titleOf(stage, "title 2")).to.equal("Trip to Rome (2)");
    await play(
      stage,
      [marked("ab")],
      { conversationId: "title 3" },
      "hello can you please explain the rules of chess to somebody who has never played it",
    );
    const title = await titleOf(stage, "title 3");
    expect(title).to.equal("Hello can you please explain the rules of chess to");
    expect(title.length).to.be.at.most(50);
  });

  verifies(["loop:titles", "C24"], "never changes a title that the person gave", async () => {
    const marked = saying('Hello.<!--session:{"title":"The model’s"}-->');
    await play(stage, [marked], {
      conversationId: "mine 1",
      service_config: { conversation_title: "New Conversation of mine" },
    });
    expect(await titleOf(stage, "mine 1")).to.equal("New Conversation of mine");
    await stage.host.json("POST", "/v1/conversations", { id: "mine 2" });
    expect(await titleOf(stage, "mine 2")).to.match(/^New Conversation/);
    await stage.host.json("PATCH", "/v1/conversations/mine%202", { title: "New Conversation, mine" });
    await play(stage, [marked], { conversationId: "mine 2" });
    expect(await titleOf(stage, "mine 2")).to.equal("New Conversation, mine");
  });
});

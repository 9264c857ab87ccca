import { expect } from "chai";
import { chatReply, jsonReply, type MockReply, type MockRequest } from "@pergola/sdk/testing";
import { chat, sentBody, user, type SentBody } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

const hasTools = ({ body }: MockRequest): boolean => (body as SentBody).tools !== undefined;

const refusal = (status: number, message: string): MockReply => jsonReply({ error: { message } }, { status });

/** A server that answers with a written call and then with text, and refuses requests with tools. */
const without =
  (refused: MockReply) =>
  (request: MockRequest): MockReply => {
    const { messages } = request.body as SentBody;
    if (hasTools(request)) return refused;
    if (messages.some(({ content }) => String(content).startsWith("<tool_response>")))
      return chatReply({ text: "Thought." });
    return chatReply({
      text: '<tool_call>{"name":"think","arguments":{"operation":"think","thoughts":"Hm"}}</tool_call>',
    });
  };

/** The facts of the model as an answer's metadata and the list of models tell them. */
interface Facts {
  readonly supports_tools: boolean;
  readonly source: string;
}

describe("a custom provider of whose models nobody says whether they take tools (M1)", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(chatReply({ text: "Hello." }), {
      settings: { storage: { type: "sqlite" }, "models.overrides": {} },
    });
  });
  after(() => stage.end());

  /** The requests since then, by whether they brought tools. */
  const sentSince = (start: number): readonly boolean[] => stage.provider.requests.slice(start).map(hasTools);
  const say = async (model: string) => {
    const start = stage.provider.requests.length;
    const { status, body } = await chat(stage, { model, messages: [user("Think")] });
    const { model_info: facts } = (body.service_metadata ?? {}) as { readonly model_info?: Facts };
    const content = body.choices?.[0]?.message.content;
    return { status, content, facts, error: body.error, sent: sentSince(start) };
  };

  verifies("models:native-first", "gets them natively", async () => {
    const { facts, sent } = await say("custom/test");
    expect(sent).to.deep.equal([true]);
    expect(facts).to.include({ supports_tools: true, source: "guess" });
    expect(JSON.stringify(sentBody(stage).messages)).not.to.include("<tool_call>");
  });

  for (const [model, status, message] of [
    ["ollama-like", 400, "registry.ollama.ai/library/gemma:2b does not support tools"],
    ["llama-like", 500, "tools param requires --jinja flag"],
    ["router-like", 404, "No endpoints found that support tool use."],
    ["silent", 400, "Bad Request"],
  ] as const)
    verifies(
      "models:native-first",
      `gets them in the prompt after "${message}", which is remembered`,
      async () => {
        stage.provider.play(without(refusal(status, message)));
        const first = await say(`custom/${model}`);
        expect(first).to.deep.include({ status: 200, content: "Thought.", sent: [true, false, false] });
        expect(first.facts).to.include({ supports_tools: false, source: "probe" });
        const second = await say(`custom/${model}`);
        expect(second).to.deep.include({ status: 200, content: "Thought.", sent: [false, false] });
      },
    );

  verifies("models:native-first", "is remembered beyond the next start", async () => {
    stage.provider.play(without(refusal(400, "no tools here")));
    await say("custom/lasting");
    await stage.host.restart();
    expect(await say("custom/lasting")).to.deep.include({ status: 200, sent: [false, false] });
  });

  verifies(
    "models:native-first",
    "answers with the first refusal when tools were not the reason",
    async () => {
      stage.provider.play((request) =>
        refusal(400, hasTools(request) ? "the prompt is too long" : "it is still too long"),
      );
      const { status, error, sent } = await say("custom/narrow");
      expect([status >= 400, error?.message, sent]).to.deep.equal([
        true,
        "Custom answered 400: the prompt is too long",
        [true, false],
      ]);
      stage.provider.play(chatReply({ text: "Hello." }));
      expect((await say("custom/narrow")).sent).to.deep.equal([true]);
      stage.provider.play(refusal(400, "Bad Request"));
      expect((await say("custom/narrow")).sent, "it has taken tools before").to.deep.equal([true]);
    },
  );

  verifies(
    "models:native-first",
    "is not asked again for a failure that says nothing about tools",
    async () => {
      stage.provider.play(refusal(401, "no such key for tools"));
      expect((await say("custom/locked")).sent).to.deep.equal([true]);
    },
  );

  verifies("models:native-first", "is told of by models.overrides", async () => {
    const known = await openStage(chatReply({ text: "Hello." }), {
      settings: { "models.overrides": { "custom/test": { supports_tools: false } } },
    });
    await chat(known, { messages: [user("Hi")] });
    const sent = known.provider.requests.map(hasTools);
    await known.end();
    expect(sent).to.deep.equal([false]);
  });
});

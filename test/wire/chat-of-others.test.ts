import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { chat, sentBody, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

const messages = [user("Hello")];

/** What clients of chat completions send beside the usual: as their libraries' types allow it. */
describe("a chat request of other clients", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  verifies("chat:sampling", "takes null for what the format lets be null: as if it were absent", async () => {
    const sampling = ["temperature", "top_p", "max_tokens", "presence_penalty", "frequency_penalty", "seed"];
    const switches = ["n", "stop", "stream", "stream_options", "reasoning", "reasoning_effort"];
    const nulls = Object.fromEntries([...sampling, ...switches].map((key) => [key, null]));
    const { status, body } = await chat(stage, { messages, ...nulls });
    expect([status, body.object]).to.deep.equal([200, "chat.completion"]);
    expect(sentBody(stage)).to.deep.include({ temperature: 0.7, top_p: 1, max_tokens: 2000 });
    expect(sentBody(stage)).to.not.have.any.keys("presence_penalty", "seed", "stop", "reasoning_effort");
    await chat(stage, { messages, max_completion_tokens: null, reasoning: { effort: null, enabled: null } });
    expect(sentBody(stage)).to.include({ max_tokens: 2000 });
  });

  verifies("chat:content-parts", "takes the answer's part that refuses for its text", async () => {
    const refusal = { role: "assistant", content: [{ type: "refusal", refusal: "I must not." }] };
    const { status } = await chat(stage, { messages: [user("Go on"), refusal, user("Why?")] });
    expect(status).to.equal(200);
    expect(JSON.stringify(sentBody(stage).messages)).to.include("I must not.");
  });

  verifies(
    "chat:sampling",
    "takes the effort and the budget of its reasoning as OpenRouter's clients send them",
    async () => {
      for (const [given, expected] of [
        ["max", "high"],
        ["xhigh", "high"],
        ["medium", "medium"],
        ["minimal", "low"],
      ]) {
        await chat(stage, { messages, reasoning: { effort: given }, reasoning_effort: "medium" });
        expect(sentBody(stage)["reasoning_effort"], given).to.equal(expected);
      }
      await chat(stage, { messages, reasoning: { effort: "none" } });
      expect(sentBody(stage)["reasoning_effort"]).to.be.oneOf([undefined, "none"]);
      expect((await chat(stage, { messages, reasoning: { max_tokens: 2000 } })).status).to.equal(200);
      expect((await chat(stage, { messages, reasoning: { effort: "enormous" } })).status).to.equal(400);
    },
  );

  verifies("responses:request", "takes every effort of the format in a response, too", async () => {
    const body = { model: "default", input: "Hello", reasoning: { effort: "max" } };
    const { status } = await stage.host.json("POST", "/v1/responses", body);
    expect([status, sentBody(stage)["reasoning_effort"]]).to.deep.equal([200, "high"]);
  });

  verifies(
    "merge:suffix",
    "goes on where a client sends the text and the calls of an answer as two messages",
    async () => {
      const parameters = { type: "object", properties: { city: { type: "string" } } };
      const tools = [{ type: "function", function: { name: "get_weather", parameters } }];
      const call = { name: "get_weather", arguments: { city: "Oslo" } };
      stage.provider.play([
        chatReply([{ text: "I look." }, { toolCalls: [call] }]),
        chatReply({ text: "Rain." }),
      ]);
      const asked = [user("Weather?")];
      const { body } = await chat(stage, { messages: asked, tools });
      const { content, tool_calls } = body.choices[0]!.message;
      const [made] = tool_calls as readonly { readonly id: string }[];
      const answered = [
        ...asked,
        { role: "assistant", content },
        { role: "assistant", content: null, tool_calls },
        { role: "tool", tool_call_id: made?.id, content: "rain" },
      ];
      expect((await chat(stage, { messages: answered, tools })).body.service_metadata.warnings).to.deep.equal(
        [],
      );
      const sent = sentBody(stage).messages.slice(1);
      expect(sent.map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool"]);
      expect(sent.at(-1)).to.include({ content: "rain" });
    },
  );
});

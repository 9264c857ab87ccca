import { expect } from "chai";
import { chatReply, streamLines, type ScriptTurn } from "@pergola/sdk/testing";
import { sentBody } from "../support/chat.ts";
import {
  asksWeather,
  responsesScene,
  textOf,
  think,
  weather,
  type ResponseEvent,
} from "../support/responses-scene.ts";
import { verifies } from "../support/verifies.ts";

describe("POST /v1/responses, streamed", () => {
  const scene = responsesScene();
  const { create, open, stream } = scene;

  verifies("responses:stream", "names each event, and ends without any other line", async () => {
    scene.stage.provider.play([chatReply({ text: "Hello." })]);
    const answer = await open({});
    expect(answer.headers.get("content-type")).to.equal("text/event-stream; charset=utf-8");
    const blocks = (await answer.text()).trimEnd().split("\n\n");
    for (const block of blocks) {
      const [, name, data = ""] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
      expect((JSON.parse(data) as ResponseEvent).type).to.equal(name);
    }
    expect(blocks.at(-1)).to.match(/^event: response\.completed\n/);
  });

  verifies(
    "responses:stream",
    "tells tools at work and questions beside, on events that clients pass over",
    async () => {
      scene.stage.provider.play([chatReply(think), chatReply({ text: "Done." })]);
      const events: ResponseEvent[] = [];
      for await (const line of streamLines(await open({}))) events.push(JSON.parse(line) as ResponseEvent);
      const tools = events.filter(
        ({ type, isToolMessage }) => type === "keepalive" && isToolMessage === true,
      );
      expect(tools.map(({ toolStatus }) => toolStatus)).to.include.members(["running", "success"]);
      expect(tools[0]).to.include({ toolName: "think" });
    },
  );

  verifies(
    "responses:stream",
    "a question to the person travels on it and its answer lets the run go on",
    async () => {
      scene.stage.provider.play([
        chatReply({
          toolCalls: [
            { name: "user_collaboration", arguments: { operation: "request_input", prompt: "Which?" } },
          ],
        }),
        chatReply({ text: "Blue it is." }),
      ]);
      let text = "";
      for await (const line of streamLines(await open({}))) {
        const event = JSON.parse(line) as ResponseEvent;
        const asked = event["event"] as { readonly type: string; readonly toolCallId: string } | undefined;
        if (asked?.type === "user_input_required") {
          const { status } = await scene.stage.host.json("POST", "/api/chat/tool-response", {
            toolCallId: asked.toolCallId,
            userResponse: "blue",
          });
          expect(status).to.equal(200);
        }
        if (event.type === "response.completed") text = textOf(event.response);
      }
      expect(text).to.match(/^\[Waiting for your answer: .*\]\n\nBlue it is\.$/);
    },
  );

  for (const streamed of [false, true]) {
    const how = streamed ? "in a stream" : "as JSON";
    verifies(
      "responses:tools",
      `hands a call of the caller's function back, and takes its output, ${how}`,
      async () => {
        const ask = async (body: object, script: readonly ScriptTurn[]) =>
          streamed
            ? ((await stream(body, script)).at(-1) as ResponseEvent).response
            : (await create(body, script)).body;
        const first = await ask({ input: "Weather in Oslo?", tools: [weather] }, [asksWeather]);
        expect(first.status).to.equal("completed");
        const [call] = first.output;
        expect(first.output.map(({ type }) => type)).to.deep.equal(["function_call"]);
        expect(call).to.include({ name: "weather", arguments: '{"city":"Oslo"}', status: "completed" });
        const input = [{ type: "function_call_output", call_id: call?.call_id, output: "rain" }];
        const second = await ask({ input, previous_response_id: first.id, tools: [weather] }, [
          { text: "It rains." },
        ]);
        expect(textOf(second)).to.equal("It rains.");
        expect(second["previous_response_id"]).to.equal(first.id);
        expect(second.conversation.id).to.equal(first.conversation.id);
        const sent = sentBody(scene.stage).messages.filter(({ role }) => role !== "system");
        expect(sent.map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool"]);
        expect(sent[2]?.content).to.equal("rain");
      },
    );
  }
});

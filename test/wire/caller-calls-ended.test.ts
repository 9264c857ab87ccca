import { expect } from "chai";
import { chatReply, streamLines, type ScriptTurn } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";
import { type Fields, type Format, formats, begin, more } from "./live-calls-scene.ts";

describe("calls of the caller's tools that end early", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const ask = async ({ path, body }: Format, script: ScriptTurn, name = "write_file") => {
    stage.provider.play([chatReply(script)]);
    return stage.host.request("POST", path, { model: "default", stream: true, ...body(name) });
  };

  async function eventsOf(answer: Response, see: (event: Fields) => void = () => undefined) {
    const events: Fields[] = [];
    for await (const line of streamLines(answer)) {
      if (line === "[DONE]") continue;
      const event = JSON.parse(line) as Fields;
      events.push(event);
      see(event);
    }
    return events;
  }

  verifies("stream:caller-calls", "C8: without arguments have none but {}", async () => {
    for (const format of Object.values(formats)) {
      const pieces = (await eventsOf(await ask(format, begin("write_file")))).flatMap((event) =>
        format.piecesOf(event),
      );
      expect(pieces.map((piece) => ("text" in piece ? piece.text : "")).join("")).to.equal("{}");
    }
  });

  verifies("stream:caller-calls", "C8: that the model's limit cuts off are not to be run", async () => {
    const cut: ScriptTurn = [
      begin("write_file"),
      more('{"path":"a","text":"on'),
      { type: "end", reason: "length" },
    ];
    const endings = {
      chat: '"finish_reason":"length"',
      Messages: '"stop_reason":"max_tokens"',
      Responses: '"status":"incomplete"',
    };
    for (const [title, ending] of Object.entries(endings)) {
      const events = await eventsOf(await ask(formats[title]!, cut));
      expect(JSON.stringify(events)).to.contain(ending).and.not.contain('"finish_reason":"tool_calls"');
    }
  });

  verifies("stream:caller-calls", "C8: of an answer that breaks off end with its error", async () => {
    const broken: ScriptTurn = [begin("write_file"), more('{"path":'), { error: { status: 500 } }];
    for (const [title, format] of Object.entries(formats)) {
      const events = await eventsOf(await ask(format, broken));
      expect(JSON.stringify(events.at(-1)), title).to.contain("error");
      const starts = events.filter(
        ({ type }) => type === "content_block_start" || type === "response.output_item.added",
      );
      const stops = events.filter(
        ({ type }) => type === "content_block_stop" || type === "response.output_item.done",
      );
      expect(stops.length, title).to.equal(starts.length);
    }
  });

  verifies(
    "stream:caller-calls",
    "C8: in the last iteration are not begun, since they are not handed on",
    async () => {
      const format = formats["chat"]!;
      stage.provider.play([chatReply([begin("write_file"), more("{}")])]);
      const body = { ...format.body("write_file"), model: "default", stream: true, maxIterations: 1 };
      const events = await eventsOf(await stage.host.request("POST", format.path, body));
      expect(events.flatMap((event) => format.piecesOf(event))).to.deep.equal([]);
      expect(JSON.stringify(events)).to.contain('"finish_reason":"length"');
    },
  );
});

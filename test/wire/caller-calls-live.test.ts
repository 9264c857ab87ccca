import { expect } from "chai";
import { chatReply, streamLines, type ScriptStep, type ScriptTurn } from "@pergola/sdk/testing";
import { chat, sentBody } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { promised } from "../support/promised.ts";
import { verifies } from "../support/verifies.ts";
import { type Fields, type Piece, question, type Format, formats, begin, more } from "./live-calls-scene.ts";

const free: typeof formats = {
  chat: {
    ...formats["chat"]!,
    body: (name) => ({ messages: question, tools: [{ type: "custom", custom: { name } }] }),
  },
  Responses: {
    ...formats["Responses"]!,
    body: (name) => ({ input: "Write the file", tools: [{ type: "custom", name }] }),
  },
};

describe("calls of the caller's tools, while the model writes them (C8)", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  /** Each step of the model waits until the client has what the one before brought. */
  function inLockstep(steps: readonly ScriptStep[]) {
    const gates = steps.map(() => promised());
    const script: readonly ScriptStep[] = steps.flatMap((step, at) => [step, { until: gates[at]!.promise }]);
    return { script, open: (count: number) => gates.slice(0, count).forEach(({ keep }) => keep()) };
  }

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

  const textOf = (pieces: readonly Piece[], call: number): string =>
    pieces.map((piece) => (piece.call === call && "text" in piece ? piece.text : "")).join("");

  for (const [title, format] of Object.entries(formats))
    verifies(
      ["stream:caller-calls", "stream:live"],
      `C8: reach a ${title} client piece by piece`,
      async () => {
        const texts = ['{"path":', '"a.txt","text":"', "one ", "two ", 'three"}'];
        const { script, open } = inLockstep([begin("write_file"), ...texts.map((text) => more(text))]);
        const pieces: Piece[] = [];
        await eventsOf(await ask(format, script), (event) => {
          pieces.push(...format.piecesOf(event));
          open(pieces.length);
        });
        const [first, ...rest] = pieces;
        expect(first).to.include({ name: "write_file" });
        expect(rest.map((piece) => "text" in piece && piece.text)).to.deep.equal(texts);
      },
    );

  for (const [title, format] of Object.entries(free))
    verifies("stream:caller-calls", `C8: reach a ${title} client as the free text of its tool`, async () => {
      const texts = ['{"input":"*** Begin', "\\nLine ", 'two\\n*** End"}'];
      const { script, open } = inLockstep([begin("apply_patch"), ...texts.map((text) => more(text))]);
      const pieces: Piece[] = [];
      await eventsOf(await ask(format, script, "apply_patch"), (event) => {
        pieces.push(...format.piecesOf(event));
        open(pieces.length);
      });
      const [first, ...rest] = pieces;
      expect(first).to.include({ name: "apply_patch" });
      expect(rest.map((piece) => "text" in piece && piece.text)).to.deep.equal([
        "*** Begin",
        "\nLine ",
        "two\n*** End",
      ]);
    });

  for (const [title, format] of Object.entries(formats))
    verifies(
      "stream:caller-calls",
      `C8: follow each other in the ${title} format, text before them first`,
      async () => {
        const steps = [
          begin("write_file"),
          more('{"path":"a"}'),
          begin("write_file", 1),
          more('{"path":', 1),
          more('"b"}', 1),
        ];
        const { script, open } = inLockstep(steps);
        const answer = await ask(format, [{ text: "Look: <" }, ...script]);
        const pieces: Piece[] = [];
        const events = await eventsOf(answer, (event) => {
          pieces.push(...format.piecesOf(event));
          open(pieces.length);
        });
        const calls = [...new Set(pieces.map(({ call }) => call))];
        expect(calls).to.have.length(2);
        expect(calls.map((call) => textOf(pieces, call))).to.deep.equal(['{"path":"a"}', '{"path":"b"}']);
        const firstCall = events.findIndex((event) => format.piecesOf(event).length > 0);
        expect(JSON.stringify(events.slice(0, firstCall))).to.contain("Look: <".slice(-1));
        expect(JSON.stringify(events.slice(firstCall))).to.contain('\\"a\\"');
      },
    );

  verifies(
    "stream:caller-calls",
    "C8: that a model mixes stay apart, each block of Messages whole",
    async () => {
      const mixed: ScriptTurn = {
        toolCalls: [
          { name: "write_file", arguments: ['{"path":', '"a"}'] },
          { name: "write_file", arguments: ['{"path":', '"b"}'] },
        ],
      };
      for (const format of Object.values(formats)) {
        const pieces = (await eventsOf(await ask(format, mixed))).flatMap((event) => format.piecesOf(event));
        const calls = [...new Set(pieces.map(({ call }) => call))];
        expect(calls.map((call) => textOf(pieces, call))).to.deep.equal(['{"path":"a"}', '{"path":"b"}']);
      }
      const events = await eventsOf(await ask(formats["Messages"]!, mixed));
      const blocks = events.filter(({ type }) => String(type).startsWith("content_block_"));
      const marks = blocks.flatMap(({ type, index }) =>
        type === "content_block_delta" ? [] : [`${String(type)} ${String(index)}`],
      );
      expect(marks).to.deep.equal([
        "content_block_start 0",
        "content_block_stop 0",
        "content_block_start 1",
        "content_block_stop 1",
      ]);
    },
  );

  verifies(
    "stream:caller-calls",
    "C8: have the id and the arguments that go on with the conversation",
    async () => {
      const conversationId = "live calls";
      const body = { ...formats["chat"]!.body("write_file"), conversationId, model: "default" };
      for (const time of [1, 2]) {
        stage.provider.play([
          chatReply([begin("write_file", 0, "call_again"), more('{"path":'), more('"a"}')]),
        ]);
        const events = await eventsOf(
          await stage.host.request("POST", "/v1/chat/completions", { ...body, stream: true }),
        );
        const calls = events.flatMap(
          ({ choices }) =>
            (choices as { delta: { tool_calls?: { id?: string }[] } }[])[0]?.delta.tool_calls ?? [],
        );
        const { id } = calls[0] as { id: string };
        expect(id === "call_again", "an id that is in use is not given again").to.equal(time === 1);
        stage.provider.play([chatReply({ text: "Done." })]);
        const answer = { role: "tool", tool_call_id: id, content: "written" };
        const { status } = await chat(stage, { ...body, messages: [answer] });
        expect(status).to.equal(200);
        const asked = sentBody(stage).messages.findLast(({ role }) => role === "assistant")!;
        expect((asked["tool_calls"] as object[])[0]).to.deep.equal({
          id: "call_again",
          type: "function",
          function: { name: "write_file", arguments: '{"path":"a"}' },
        });
      }
    },
  );
});

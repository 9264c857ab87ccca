import { expect } from "chai";
import {
  defined,
  ProviderFailures,
  streamAnswer,
  type AnswerEvents,
  type AnswerFault,
  type AnswerPart,
  type ModelEvent,
  type PartReader,
  type ProviderResponse,
} from "@pergola/sdk";
import { collectEvents, providerSettings } from "@pergola/sdk/testing";

/**
 * A format of a few lines: `{ "say": … }`, `{ "bad": … }`, `{ "alive": true }`, and `bye`, or the end of the
 * body, behind `{ "last": true }`.
 */
class SmallReader implements PartReader {
  readonly endMark = "bye";
  finished = false;
  fault: AnswerFault | undefined;
  readonly #events: AnswerEvents;

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  read({ say, bad, last, alive }: AnswerPart): boolean {
    if (typeof say === "string") this.#events.addText("text", say);
    if (bad !== undefined) this.fault = bad as AnswerFault;
    this.finished ||= last === true;
    return alive !== true;
  }

  readWhole(document: AnswerPart): boolean {
    this.finished = "say" in document;
    return this.finished && this.read(document);
  }

  end(): readonly ModelEvent[] {
    return [{ type: "end", reason: "stop" }];
  }
}

const frame = (part: object | string): string =>
  `data: ${typeof part === "string" ? part : JSON.stringify(part)}\n\n`;

interface Played {
  readonly pieces: readonly (string | Uint8Array | Error)[];
  readonly signal?: AbortSignal;
  readonly now?: () => number;
  readonly format?: "lines";
}

async function play({ pieces, signal = new AbortController().signal, now = () => 0, format }: Played) {
  let left = "open";
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (const piece of pieces) {
        if (piece instanceof Error) throw piece;
        yield Buffer.from(piece);
      }
      left = "read";
    } finally {
      if (left === "open") left = "torn down";
    }
  }
  const clock = { now };
  const failures = new ProviderFailures(providerSettings({ name: "Small", apiKey: "sk-of-small" }), {
    clock,
    read: (told) => ({ message: JSON.stringify(told) }),
  });
  const ask = async (): Promise<ProviderResponse> => ({
    status: 200,
    header: () => undefined,
    body: body(),
    text: async () => "",
  });
  const options = {
    ask,
    reader: (events: AnswerEvents) => new SmallReader(events),
    failures,
    clock,
    timeoutSeconds: 10,
    warnings: ["Hm."],
    ...defined({ format }),
  };
  const { events, error } = await collectEvents(streamAnswer(options, signal));
  await new Promise(setImmediate);
  return {
    events,
    code: (error as { readonly code?: string } | undefined)?.code,
    message: String((error as Error | undefined)?.message),
    left: () => left,
  };
}

const warning = { type: "warning", text: "Hm." };
const text = (said: string) => ({ type: "text", text: said });
const end = { type: "end", reason: "stop" };

describe("the answer of any format", () => {
  it("is told as it comes, warnings first and the end last; what came in one read is one text", async () => {
    const { events, code, left } = await play({
      pieces: [frame({ say: "Hel" }) + frame({ say: "lo " }), frame({ say: "you" }), frame("bye")],
    });
    expect(events).to.deep.equal([warning, text("Hello "), text("you"), end]);
    expect([code, left()]).to.deep.equal([undefined, "read"]);
  });

  it("may have each part on a line of its own, wherever that is cut", async () => {
    const lines = [{ say: "data: Grüße" }, { alive: true }, { say: "!" }, { last: true }];
    const bytes = Buffer.from(lines.map((part) => `${JSON.stringify(part)}\r\n`).join(""));
    for (const at of bytes.keys()) {
      const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
      const { events, code } = await play({ pieces, format: "lines" });
      const said = events.flatMap((event) => (event.type === "text" ? [event.text] : []));
      expect([said.join(""), events.at(-1), code], `cut at ${at}`).to.deep.equal([
        "data: Grüße!",
        end,
        undefined,
      ]);
    }
  });

  it("fails on a line that is damaged, or where the lines end too early", async () => {
    const half = await play({ pieces: ['{"say":"Yes"}\n{"say":\n{"last":true}\n'], format: "lines" });
    expect([half.events, half.code]).to.deep.equal([[warning, text("Yes")], "provider_error"]);
    expect(half.message).to.include("damaged part");
    const cut = await play({ pieces: ['{"say":"Yes"}\n{"la'], format: "lines" });
    expect([cut.events, cut.code]).to.deep.equal([[warning, text("Yes")], "provider_error"]);
    expect((await play({ pieces: ["<html>\n"], format: "lines" })).code).to.equal("provider_error");
  });

  it("may end with its body, or break off behind its end, or come as one document", async () => {
    const said = [warning, text("Yes"), end];
    const broken = new Error("gone");
    for (const pieces of [
      [frame({ say: "Yes" }), frame({ last: true })],
      [frame({ say: "Yes", last: true }), broken],
      ['{\n  "say":\n"Yes"\n}'],
      ['[{"say":"Yes"}]'],
    ])
      expect((await play({ pieces })).events).to.deep.equal(said);
  });

  const failing: Readonly<
    Record<string, readonly [readonly (string | Error)[], code: string, says: string]>
  > = {
    "ends before its end": [[frame({ say: "Ye" })], "provider_error", "ended early"],
    "breaks off": [[frame({ say: "Ye" }), new Error("gone")], "provider_error", "broke off"],
    "holds half a part": [[frame({ say: "Ye" }), frame('{"say":')], "provider_error", "damaged part"],
    "holds a part that does not fit": [
      [frame({ bad: { damaged: { a: 1 } } })],
      "provider_error",
      'damaged part of its answer: {"a":1}',
    ],
    "is given up by the model": [
      [frame({ bad: { unfinished: "WEARY" } })],
      "provider_error",
      "did not finish: WEARY",
    ],
    "is an error with a status": [
      [frame({ bad: { error: { is: "full" }, status: 429 } })],
      "provider_rate_limited",
      "full",
    ],
    "is an event named error": [
      ['event: error\ndata: {"a":"sk-of-small"}\n\n'],
      "provider_error",
      "[redacted]",
    ],
    "is another document": [['{"no": "sk-of-small"}'], "provider_error", "[redacted]"],
    "is no JSON at all": [["<html>Login</html>"], "provider_error", "did not answer with an event stream"],
    "is nothing": [[], "provider_error", "ended early"],
    "has a line without end": [[`data: ${"x".repeat(17 * 1024 * 1024)}`], "provider_error", "4 MiB"],
  };
  for (const [what, [pieces, code, says]] of Object.entries(failing)) {
    it(`fails when it ${what}`, async () => {
      const answer = await play({ pieces });
      expect(answer.code).to.equal(code);
      expect(answer.message).to.include(says).and.not.include("sk-of-small");
      expect(answer.events.map(({ type }) => type)).to.not.include("end");
    });
  }

  it("fails when nothing but comments, and parts that only keep the connection alive, comes for too long", async () => {
    let seconds = 0;
    const now = (): number => (seconds += 4) * 1000;
    const idle = [": wait\n\n", frame({ alive: true }), ": wait\n\n", ": wait\n\n"];
    expect((await play({ pieces: idle, now })).code).to.equal("provider_timeout");
    const alive = idle.flatMap(() => frame({ say: "x" }));
    expect((await play({ pieces: [...alive, frame("bye")], now })).code).to.equal(undefined);
  });

  it("passes noise over, with one warning", async () => {
    const { events } = await play({
      pieces: [
        "data: noise\n\ndata: noise\n\ndata: [DONE]\n\ndata: 7\n\n",
        frame({ say: "Yes" }),
        frame("bye"),
      ],
    });
    expect(events.map(({ type }) => type)).to.deep.equal(["warning", "warning", "text", "end"]);
  });

  it("ends with the signal's reason when that aborts, and the connection with it", async () => {
    const controller = new AbortController();
    const now = (): number => {
      controller.abort(new Error("left"));
      return 0;
    };
    const { message, events, left } = await play({
      pieces: [frame({ say: "x" }), frame("bye")],
      signal: controller.signal,
      now,
    });
    expect([message, events, left()]).to.deep.equal(["left", [], "torn down"]);
  });
});

import { expect } from "chai";
import { EventFrames } from "../../sdk/provider/event-frames.ts";

type Heard = readonly (
  readonly [what: "event", data: string, name: string] | readonly ["line", string] | readonly ["too long"]
)[];

function heard(pieces: readonly (string | Uint8Array)[], limit = 1000): Heard {
  const said: Heard[number][] = [];
  const frames = new EventFrames(
    {
      event: (data, name) => said.push(["event", data, name]),
      line: (text) => said.push(["line", text]),
      tooLong: () => said.push(["too long"]),
    },
    limit,
  );
  for (const piece of pieces) frames.feed(Buffer.from(piece));
  frames.feed(undefined);
  return said;
}

const event = (data: string, name = ""): Heard[number] => ["event", data, name];

/** The examples of the standard, and what servers make of it. */
const bodies: Readonly<Record<string, readonly [string, Heard]>> = {
  "one event of two lines": ["data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]],
  "comments, ids and waits": [
    ": test stream\n\ndata: first event\nid: 1\nretry: 7\nretry\nid\n\n",
    [event("first event")],
  ],
  "empty data": ["data\n\ndata\ndata\n\ndata:\n\n", [event(""), event("\n"), event("")]],
  "one space that is no data": [
    "data:test\n\ndata: test\n\ndata:  test\n\n",
    [event("test"), event("test"), event(" test")],
  ],
  "names, each for one event": [
    "event: add\ndata: 1\n\ndata: 2\n\nevent: none\n\n",
    [event("1", "add"), event("2")],
  ],
  "an end without an empty line": ["data: ä🌿", [event("ä🌿")]],
  "a byte order mark, and one that is data": ["\uFEFFdata: \uFEFFx\n\n", [event("\uFEFFx")]],
  "lines that are no fields": [
    'error: {}\n{\n  "data": 1\ndatax: 2\n',
    [
      ["line", "error: {}"],
      ["line", "{"],
      ["line", '  "data": 1'],
      ["line", "datax: 2"],
    ],
  ],
};

describe("frames of server-sent events", () => {
  for (const [what, [body, expected]] of Object.entries(bodies)) {
    for (const [ends, text] of [
      ["line feeds", body],
      ["returns", body.replaceAll("\n", "\r")],
      ["both", body.replaceAll("\n", "\r\n")],
    ] as const) {
      it(`are the same with ${what}, lines ended by ${ends}, cut anywhere`, () => {
        const bytes = Buffer.from(text);
        for (let at = 0; at <= bytes.length; at++)
          expect(heard([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).to.deep.equal(expected);
        expect(heard(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).to.deep.equal(expected);
      });
    }
  }

  it("end with a line, or an event of many lines, that is longer than it may be", () => {
    const [fits, long] = ["x".repeat(20), "x".repeat(30)];
    expect(heard([`data:${fits}\n\n`], 30)).to.deep.equal([event(fits)]);
    expect(heard([long.slice(0, 20), long, "\n\ndata: 1\n\n"], 30)).to.deep.equal([["too long"]]);
    expect(heard([`data:${fits}\n`, `data:${fits}\n`, "\ndata: 1\n\n"], 30)).to.deep.equal([["too long"]]);
  });
});

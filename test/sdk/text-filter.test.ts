import { expect } from "chai";
import fc from "fast-check";
import { TextFilter, type TextPiece } from "@pergola/sdk/host";

/** Neighbouring pieces of one kind become one: how a text was split must not show. */
function joined(pieces: readonly TextPiece[]): readonly TextPiece[] {
  const all: TextPiece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (piece.type === "stop" || last?.type !== piece.type) all.push(piece);
    else all[all.length - 1] = { type: piece.type, text: last.text + piece.text };
  }
  return all;
}

function filtered(parts: readonly string[]): readonly TextPiece[] {
  const filter = new TextFilter();
  return joined([...parts.flatMap((part) => filter.push(part)), ...filter.end()]);
}

const text = (value: string): TextPiece => ({ type: "text", text: value });
const reasoning = (value: string): TextPiece => ({ type: "reasoning", text: value });
const flag = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";

/** What a model wrote, and what is left of it. */
const cases: Readonly<Record<string, readonly [string, readonly TextPiece[]]>> = {
  "plain text": ["Is 1 < 2? Yes, and <b>bold</b>.", [text("Is 1 < 2? Yes, and <b>bold</b>.")]],
  "white space alone": [" \n", [text(" \n")]],
  "thoughts before the answer": ["<think>hm</think>\n\nYes.", [reasoning("hm"), text("Yes.")]],
  "thoughts in the middle": [
    "One <thinking>two</thinking> three",
    [text("One "), reasoning("two"), text(" three")],
  ],
  "tags in capitals": ["<THINK>hm</Think>Yes", [reasoning("hm"), text("Yes")]],
  "thoughts that never end": ["<think>hm, </thin", [reasoning("hm, </thin")]],
  "an end without a beginning": ["so it is</think>Yes", [text("so it isYes")]],
  "thoughts inside thoughts": ["<think>a<think>b</think>c</think>d", [reasoning("a<think>b"), text("cd")]],
  "a call": [
    'A <tool_call>{"name":"x"}</tool_call> B',
    [text("A "), { type: "tool_call", text: '{"name":"x"}' }, text(" B")],
  ],
  "a call that never ends": ['<tool_call>{"na', [{ type: "tool_call", text: '{"na' }]],
  "a title": [
    'Hi<!--session:{"title":"Tea"}-->.',
    [text("Hi"), { type: "title", text: '{"title":"Tea"}' }, text(".")],
  ],
  "a title at the front": [
    '<!--session:{"title":"Tea"}-->\nHi',
    [{ type: "title", text: '{"title":"Tea"}' }, text("Hi")],
  ],
  "a title that never ends": [
    'Hi<!--session:{"title":"T"}\nmore',
    [text("Hi"), { type: "title", text: '{"title":"T"}' }, text("\nmore")],
  ],
  "a comment that is no title": ["a <!-- session: b --> c", [text("a <!-- session: b --> c")]],
  "the stop text": [' { "status" : "stop" }\n', [{ type: "stop" }]],
  "the stop text behind thoughts": [
    '<think>done</think>\n{"status":"stop"}',
    [reasoning("done"), { type: "stop" }],
  ],
  "the stop text with more": ['{"status":"stop"} is what I say', [text('{"status":"stop"} is what I say')]],
  "the beginning of the stop text": ['{"status":', [text('{"status":')]],
  "another object": ['{"status":"done"}', [text('{"status":"done"}')]],
  "invisible marks": ["a\u200bb\u202ec\u0007d\ufeff\te\u{e0041}", [text("abcd\te")]],
  "joiners of scripts and emoji": ["👩‍👩‍👧 क्‍ष ❤️", [text("👩‍👩‍👧 क्‍ष ❤️")]],
  "the tags of a flag": [`${flag} wins, \u{1f3f4} is black`, [text(`${flag} wins, \u{1f3f4} is black`)]],
  "a tag that invisible marks hide": ["<th\u200bink>x</think>y", [reasoning("x"), text("y")]],
  "line feeds and tabs": ["a\r\n\tb", [text("a\r\n\tb")]],
};

describe("TextFilter", () => {
  for (const [name, [input, expected]] of Object.entries(cases)) {
    it(`C23: tells ${name} apart, wherever the text is split`, () => {
      for (let at = 0; at <= input.length; at++)
        expect(filtered([input.slice(0, at), input.slice(at)]), `split at ${at}`).to.deep.equal(expected);
      expect(filtered(input.split("")), "unit by unit").to.deep.equal(expected);
    });
  }

  it("gives the same pieces for every way to split a text", () => {
    const bits = [
      "<think>",
      "</think>",
      "<tool_call>",
      "</tool_call>",
      "<!--session:",
      "-->",
      '{"status":"stop"}',
      "<",
      "\n",
      "é😀",
      flag,
      "\u200b",
      "word ",
    ];
    const piece = fc.oneof(fc.constantFrom(...bits), fc.string({ maxLength: 4, unit: "grapheme" }));
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 10 }),
        fc.array(fc.nat(60), { maxLength: 6 }),
        (words, places) => {
          const input = words.join("");
          const cuts = [
            0,
            ...places.filter((at) => at < input.length).toSorted((a, b) => a - b),
            input.length,
          ];
          const parts = cuts.slice(1).map((end, index) => input.slice(cuts[index], end));
          expect(filtered(parts)).to.deep.equal(filtered([input]));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("S09: never splits a character between two pieces", () => {
    const filter = new TextFilter();
    const pieces = [..."a😀b👩‍👩‍👧".split("").flatMap((unit) => filter.push(unit)), ...filter.end()];
    for (const piece of pieces) expect("text" in piece && /\p{Cs}/u.test(piece.text)).to.equal(false);
  });

  it("hands plain text on at once", () => {
    const filter = new TextFilter();
    expect(filter.push("Hello")).to.deep.equal([text("Hello")]);
    expect(filter.push(" world")).to.deep.equal([text(" world")]);
    expect(filter.push("")).to.deep.equal([]);
    expect(filter.push(" a <")).to.deep.equal([text(" a ")]);
  });

  it("hands thoughts on as they come", () => {
    const filter = new TextFilter();
    expect(filter.push("<think>one")).to.deep.equal([reasoning("one")]);
    expect(filter.push(" two")).to.deep.equal([reasoning(" two")]);
  });

  it("takes a long call in small pieces in little time", () => {
    const filter = new TextFilter();
    filter.push("<tool_call>");
    const begun = performance.now();
    for (let index = 0; index < 200_000; index++) filter.push("12345");
    expect(filter.push("</tool_call>")).to.deep.equal([{ type: "tool_call", text: "12345".repeat(200_000) }]);
    expect(performance.now() - begun).to.be.below(2000);
  });
});

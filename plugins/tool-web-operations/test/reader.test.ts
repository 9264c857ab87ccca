import { expect } from "chai";
import { ToolError } from "@pergola/sdk";
import plugin from "../index.ts";
import { reader } from "../reader.ts";
import { isReadable } from "../reading/is-readable.ts";
import { plainText } from "../reading/plain-text.ts";
import { readHandlers } from "../reading/read-handlers.ts";
import { tidy } from "../reading/tidy.ts";

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    (error: unknown) => (ToolError.is(error) ? error.code : String(error)),
  );

/** Takes minutes: each element is compared with all that follow it. */
const slow = {
  html: "<i></i>".repeat(20_000),
  selectors: Array.from({ length: 20 }, () => "i:has(~ b)"),
} as const;

describe("reader", function () {
  this.timeout(30_000);
  after(() => reader.end());

  it("ends a job that takes too long, and does the next in a new thread", async () => {
    const first = reader.run("texts", slow, { deadline: 6000 }).catch((error: unknown) => error);
    expect(await first).to.include({
      code: "generic_error",
      message: "The page could not be read: it takes too long.",
    });
    expect((await reader.run("plain", "<p>b")).text).to.equal("b");
  });

  it("does nothing more once the call is cancelled", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = [
      reader.run("texts", slow, { signal }),
      reader.run("texts", slow, { signal }),
      reader.run("plain", "b", { signal }),
    ].map(codeOf);
    setTimeout(() => controller.abort(new Error("enough")), 300);
    expect(await Promise.all(waiting)).to.deep.equal(["Error: enough", "Error: enough", "Error: enough"]);
  });

  it("says which selector is none", async () => {
    const failure = await reader
      .run("texts", { html: "<p>a", selectors: ["p", "p["] })
      .catch((error: unknown) => error);
    expect(failure).to.include({
      code: "invalid_value",
      message: "“p[” is no CSS selector.",
      hint: "Give CSS selectors, such as main h2.",
    });
  });

  it("ends its idle threads with the plugin, and starts another one when it is needed", async () => {
    await reader.run("plain", "a");
    expect(reader.size).to.be.above(0);
    await plugin.stop?.({} as never);
    expect(reader.size).to.equal(0);
    expect((await reader.run("plain", "<p>b")).text).to.equal("b");
  });
});

describe("isReadable", () => {
  const cases: readonly (readonly [name: string, html: string, isReadable: boolean])[] = [
    [
      "an ordinary page",
      "<html><head><meta charset=utf-8></head><body><p>a<br>b<p>c<ul><li>d<li>e</ul></body></html>",
      true,
    ],
    ["a long list whose items are left open", `<ul>${"<li>a".repeat(10_000)}</ul>`, true],
    ["a long page of open paragraphs", "<p>a".repeat(20_000), true],
    ["ten levels of ten", `${"<div>".repeat(10)}${"<b>x</b>".repeat(10_000)}`, true],
    ["too many elements", "<i></i>".repeat(25_001), false],
    ["too deep a page", "<div>".repeat(201), false],
    ["depth in items", "<ul><li>".repeat(201), false],
    ["depth that stray closing tags hide", "<div></span>".repeat(201), false],
    ["depth that tags closing themselves hide", "<div/>".repeat(201).replaceAll("<div/>", "<div>"), false],
    ["many elements, rather deep", `${"<div>".repeat(150)}${"<p><b>x</b></p>".repeat(2_000)}`, false],
    ["too many attributes", `<p ${Array.from({ length: 501 }, (_, at) => `a${at}`).join(" ")}>`, false],
    ["too many entities", "&amp".repeat(100_001), false],
    ["too many characters", "x".repeat(3_000_001), false],
  ];
  for (const [name, html, expected] of cases) {
    it(`says ${expected ? "yes" : "no"} to ${name}`, () => {
      expect(isReadable(html)).to.equal(expected);
    });
  }
});

describe("plainText", () => {
  it("has the words of a page, one line for each block, without scripts and the head", () => {
    const html = `<html><head><title>A &amp; B</title><style>p{}</style></head><body>one <b>two</b> three<script>if (a<b) x()</script>
      <p>four&nbsp;five &lt;six&gt;</p><ul><li>seven<li>eight</ul></body></html>`;
    expect(plainText(html)).to.include({
      title: "A & B",
      isPlain: true,
      text: "one two three\n\nfour five <six>\n\nseven\neight",
    });
  });

  it("takes time in proportion to the page, whatever it holds", () => {
    for (const piece of [
      "<div>",
      "<",
      "<a ",
      "&amp",
      "</x>",
      "<!--",
      "<p>a</p>",
      "<b></i>",
      "  \n",
      '<a b="',
    ]) {
      const begun = performance.now();
      plainText(`${piece.repeat(Math.ceil(1_000_000 / piece.length))}end`);
      expect(performance.now() - begun, piece).to.be.below(3000);
    }
  }).timeout(30_000);
});

describe("readHandlers", () => {
  it("refuses to select in a page that has no tree", async () => {
    const read = () => readHandlers.texts({ html: "<div>".repeat(1000), selectors: ["p"] }, {} as never);
    expect(read).to.throw("deeply nested");
  });
});

describe("tidy", () => {
  it("keeps what letters and emoji need, and drops what nobody sees", () => {
    const family = "👩‍👩‍👧";
    const persian = "می‌خواهم";
    expect(tidy(`${family} ${persian} a\u200bb\u2066c\u{e0041}\r\n\r\n\r\n\r\nd  \n`)).to.equal(
      `${family} ${persian} abc\n\nd`,
    );
  });
});

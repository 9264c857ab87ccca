import { once } from "node:events";
import { expect } from "chai";
import { ToolError } from "@pergola/sdk";
import plugin from "../index.ts";
import { Reader } from "../reader.ts";
import { doJob } from "../reading/do-job.ts";
import { isReadable } from "../reading/is-readable.ts";
import { plainText } from "../reading/plain-text.ts";
import { endIdleReader, hasEnded, returnReader, takeReader } from "../start-reader.ts";
import { tidy } from "../reading/tidy.ts";

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    (error: unknown) => (ToolError.is(error) ? error.code : String(error)),
  );

/** Takes minutes: each element is compared with all that follow it. */
const slow = {
  want: "texts",
  html: "<i></i>".repeat(20_000),
  selectors: Array.from({ length: 20 }, () => "i:has(~ b)"),
} as const;

describe("Reader", function () {
  this.timeout(30_000);
  let reader: Reader | undefined;
  afterEach(() => reader?.end());
  after(endIdleReader);

  it("ends a job that takes too long, and does the next in a new thread", async () => {
    reader = new Reader(new AbortController().signal, 6000);
    const [first, second] = [
      reader.ask(slow).catch((error: unknown) => error),
      reader.ask({ want: "plain", html: "<p>b" }),
    ];
    expect(await first).to.include({
      code: "generic_error",
      message: "The page could not be read: it takes too long.",
    });
    expect((await second).text).to.equal("b");
  });

  it("does nothing more once the call is cancelled", async () => {
    const controller = new AbortController();
    reader = new Reader(controller.signal);
    const waiting = [codeOf(reader.ask(slow)), codeOf(reader.ask({ want: "plain", html: "b" }))];
    setTimeout(() => controller.abort(new Error("enough")), 300);
    expect(await Promise.all(waiting)).to.deep.equal(["Error: enough", "Error: enough"]);
  });

  it("goes on with a new thread after its own has ended", async () => {
    reader = new Reader(new AbortController().signal);
    await reader.ask({ want: "plain", html: "a" });
    await reader.end();
    const worker = takeReader();
    await returnReader(worker);
    await worker.terminate();
    expect((await reader.ask({ want: "plain", html: "b" })).text).to.equal("b");
  });

  it("uses an idle thread again, keeps no more than one, and ends it with the plugin", async () => {
    await endIdleReader();
    const [one, two] = [takeReader(), takeReader()];
    await Promise.all([one, two].map((worker) => once(worker, "online")));
    await returnReader(one);
    await returnReader(two);
    expect([hasEnded(one), hasEnded(two)]).to.deep.equal([false, true]);
    expect(takeReader()).to.equal(one);
    await returnReader(one);
    await plugin.stop?.({} as never);
    expect(hasEnded(one)).to.equal(true);
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

describe("doJob", () => {
  it("refuses to select in a page that has no tree", async () => {
    expect(await codeOf(doJob({ want: "texts", html: "<div>".repeat(1000), selectors: ["p"] }))).to.contain(
      "deeply nested",
    );
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

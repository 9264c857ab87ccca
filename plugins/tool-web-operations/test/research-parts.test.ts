import { expect } from "chai";
import { lineOf, webAddress } from "../engines/clean-results.ts";
import { credibility } from "../research/credibility.ts";
import { findAgreement } from "../research/find-agreement.ts";
import { sentencesOf } from "../research/sentences.ts";
import { termsOf } from "../research/terms.ts";

const facts = { kind: "general", author: "", published: "", isSnippet: false } as const;

describe("credibility", () => {
  for (const [url, kind, expected] of [
    ["https://example.com/", "general", 0.5],
    ["https://www.nasa.gov/x", "general", 0.8],
    ["https://www.service.gov.uk/", "general", 0.8],
    ["https://ox.ac.uk/", "general", 0.8],
    ["https://de.wikipedia.org/wiki/A", "general", 0.75],
    ["https://notwikipedia.org/", "general", 0.5],
    ["https://mygov/", "general", 0.5],
    ["https://someone.medium.com/p", "general", 0.3],
    ["https://docs.example.com/", "technical", 0.75],
    ["https://docs.example.com/", "general", 0.5],
    ["https://developer.mozilla.org/en", "technical", 0.75],
  ] as const) {
    it(`is ${expected} for ${url}, ${kind}`, () => {
      expect(credibility({ ...facts, url, kind })).to.equal(expected);
    });
  }

  it("counts an author, a date and whether the page was read; never more than 0.95 nor less than 0.1", () => {
    expect(credibility({ ...facts, url: "https://example.com/", author: "A", published: "2026" })).to.equal(
      0.6,
    );
    expect(credibility({ ...facts, url: "https://example.com/", isSnippet: true })).to.equal(0.4);
    expect(
      credibility({
        ...facts,
        url: "https://docs.nasa.gov/",
        kind: "technical",
        author: "A",
        published: "2026",
      }),
    ).to.equal(0.95);
    expect(credibility({ ...facts, url: "https://x.com/", isSnippet: true })).to.equal(0.2);
  });
});

describe("findAgreement", () => {
  const source = { url: "https://a.example/", host: "a.example", title: "", text: "", credibility: 0.5 };
  const evidence = (...terms: readonly string[]) => ({
    sentence: terms.join(" "),
    source,
    terms: new Set(terms),
    score: 1,
  });
  const sizes = (...all: readonly ReturnType<typeof evidence>[]) =>
    findAgreement(all, 5).map((group) => group.length);

  it("takes sentences together that share three words, and half of the shorter one's", () => {
    expect(sizes(evidence("a", "b", "c", "d"), evidence("a", "b", "c", "x", "y"))).to.deep.equal([2]);
    expect(sizes(evidence("a", "b"), evidence("a", "b", "c"))).to.deep.equal([1, 1]);
    expect(sizes(evidence(..."abcdefgh"), evidence(..."abcstuvw"))).to.deep.equal([1, 1]);
  });

  it("gives the best groups", () => {
    expect(
      findAgreement([evidence("a"), evidence("b"), evidence("c")], 2).map(([{ sentence }]) => sentence),
    ).to.deep.equal(["a", "b"]);
  });
});

describe("sentencesOf", () => {
  it("has whole sentences of prose, each once, without marks", () => {
    const [one, two] = [
      "The first sentence stands here for everybody to read.",
      "In 1612 Dr. J. Watson found 3.5 metres of **old** [rope](https://a.example/x).",
    ];
    const text = `# A heading that is long enough to be a sentence.\n\n${one} ${two}\n\n- ${one}\n\nShort one.\n\nIs this long question worth its place in the list?\n
\`\`\`\nconst sentence = "code that is long enough to be a sentence";\n\`\`\`\nOne | two | three and four, a row of a table that is long`;
    expect(sentencesOf(text)).to.deep.equal([one, "In 1612 Dr. J. Watson found 3.5 metres of old rope."]);
  });

  it("takes at most 300", () => {
    const text = Array.from(
      { length: 500 },
      (_, at) => `This is the sentence with the number ${at} in it.`,
    ).join(" ");
    expect(sentencesOf(text)).to.have.length(300);
  });
});

describe("termsOf", () => {
  for (const [text, terms] of [
    ["Who built the bridges of Árta?", ["built", "bridge", "arta"]],
    ["cities and buses, glass", ["city", "buse", "glass"]],
    ["what is it", ["what", "is", "it"]],
  ] as const) {
    it(`reads ${text}`, () => {
      expect(termsOf(text)).to.deep.equal(terms);
    });
  }
});

describe("results of engines", () => {
  it("are lines without tags and entities", () => {
    expect(lineOf("<strong>a</strong> &lt;b&gt; &#39;c&#x27; &amp; 1 < 2\n d &unknown; &#0;", 100)).to.equal(
      "a <b> 'c' & 1 < 2 d &unknown;",
    );
    expect(lineOf("🙂🙂🙂", 2)).to.equal("🙂🙂");
    expect([lineOf(null, 5), lineOf({}, 5), lineOf(undefined, 5)]).to.deep.equal(["", "", ""]);
  });

  it("have complete addresses on the web", () => {
    expect(webAddress("https://a.example/ä")).to.equal("https://a.example/%C3%A4");
    for (const text of [
      "",
      "/x",
      "javascript:alert(1)",
      "ftp://a.example/",
      "https://u@a.example/",
      `https://a.example/${"x".repeat(3000)}`,
      null,
      5,
    ])
      expect(webAddress(text), String(text).slice(0, 30)).to.equal(undefined);
  });
});

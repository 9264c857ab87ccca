import { expect } from "chai";
import { parsePage } from "../reading/parse-page.ts";
import { plainText } from "../reading/plain-text.ts";
import { toMarkdown } from "../reading/to-markdown.ts";

const address = "https://example.org/a/page.html";
const markdownOf = (html: string): Promise<string> => toMarkdown(parsePage(html).documentElement, address);

describe("plainText, element by element", () => {
  for (const name of "script style noscript template iframe object svg canvas select textarea head".split(
    " ",
  ))
    it(`leaves out what stands in ${name}`, () => {
      expect(plainText(`before<${name}>hidden</${name}>after`).text).to.equal("before\nafter");
    });

  for (const name of (
    "a abbr b bdi bdo cite code data em font i kbd label mark q " +
    "s samp small span strong sub sup time u var wbr"
  ).split(" "))
    it(`leaves ${name} in its line`, () => {
      expect(plainText(`be<${name}>for</${name}>e`).text).to.equal("before");
    });

  for (const name of "p div h1 li td tr section br".split(" "))
    it(`begins a line at ${name}`, () => {
      expect(plainText(`one<${name}>two</${name}>`).text).to.equal("one\ntwo");
    });
});

describe("parsePage", () => {
  for (const html of [
    ..."script style noscript template iframe object svg canvas dialog"
      .split(" ")
      .map((name) => `<${name}>hidden</${name}>`),
    "<p hidden>hidden</p>",
    "<p aria-hidden='true'>hidden</p>",
    "<p style='color:red;display:none'>hidden</p>",
    "<p style='display: none'>hidden</p>",
    "<p style='visibility:hidden'>hidden</p>",
    "<p style='visibility: hidden'>hidden</p>",
  ])
    it(`leaves out ${html}`, () => {
      const { textContent } = parsePage(`<p>before</p>${html}<p>after</p>`).documentElement;
      expect(textContent).to.equal("beforeafter");
    });

  it("keeps what says that it is not hidden", () => {
    expect(parsePage("<p aria-hidden='false'>seen</p>").documentElement.textContent).to.equal("seen");
  });
});

describe("toMarkdown", () => {
  for (const [name, html, expected] of [
    ["completes a link", '<a href="../b?c=1">words</a>', "[words](https://example.org/b?c=1)"],
    ["encodes brackets of an address", '<a href="/a_(b)">x</a>', "[x](https://example.org/a_%28b%29)"],
    ["drops a link within the page", '<a href="#part">words</a>', "words"],
    ["drops a link that is a script", '<a href="javascript:x()">words</a>', "words"],
    ["drops a link without words", '<p>a<a href="/b"> </a>b</p>', "a b"],
    ["takes an image for its description", '<img src="/x.png" alt=" a\n dog ">', "a dog"],
    ["takes an image without one for nothing", '<p>x<img src="/x.png">y</p>', "xy"],
    ["writes a list", "<ul><li>one</li><li>two</li></ul>", "- one\n- two"],
    ["writes a row in a line", "<table><tr><td>a</td><td>b\n c</td></tr></table>", "a | b c"],
    ["writes a heading", "<h2>Title</h2><p>text</p>", "## Title\n\ntext"],
    ["writes code", "<pre><code>a\n  b</code></pre>", "```\na\n  b\n```"],
    ["writes emphasis", "<p><em>a</em> <strong>b</strong></p>", "*a* **b**"],
    ["escapes nothing", "<p>1. a_b *c*</p>", "1. a_b *c*"],
  ] as const)
    it(name, async () => {
      expect(await markdownOf(html)).to.equal(expected);
    });
});

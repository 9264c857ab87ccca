import { expect } from "chai";
import { htmlToText } from "../read/html-to-text.ts";

const textOf = (html: string): string => htmlToText(html).text;

describe("htmlToText", () => {
  for (const name of "script style noscript template svg math iframe object select".split(" "))
    it(`leaves out what stands in ${name}`, () => {
      expect(textOf(`<p>before</p><${name}>hidden</${name}><p>after</p>`)).to.equal("before\n\nafter");
    });

  for (const name of (
    "p div section article header footer main nav aside figure figcaption " +
    "blockquote dl dt dd pre form fieldset address"
  ).split(" "))
    it(`gives ${name} lines of its own`, () => {
      expect(textOf(`before<${name}>inside</${name}>after`)).to.equal("before\n\ninside\n\nafter");
    });

  for (const name of "b i em strong a span code u small".split(" "))
    it(`leaves ${name} in its line`, () => {
      expect(textOf(`before <${name}>inside</${name}> after`)).to.equal("before inside after");
    });

  for (const level of [1, 2, 3, 4, 5, 6])
    it(`marks a heading of level ${level}`, () => {
      expect(textOf(`before<h${level}>Title</h${level}>after`)).to.equal(
        `before\n\n${"#".repeat(level)} Title\n\nafter`,
      );
    });

  for (const [name, html, expected] of [
    ["breaks lines at br", "one<br>two<br/>three", "one\ntwo\nthree"],
    ["takes white space for one space", "<p>one\n   two\t three</p>", "one two three"],
    ["keeps the white space of pre", "<pre>one\n   two</pre>", "one\n   two"],
    ["takes white space for one space again behind pre", "<pre>a  b</pre><p>c  d</p>", "a  b\n\nc d"],
    ["separates at hr", "one<hr>two", "one\n\ntwo"],
    ["writes a list", "<ul><li>one</li><li>two</li></ul>", "- one\n- two"],
    ["writes a list whose items are not closed", "<ul><li>one<li>two</ul>", "- one\n- two"],
    ["numbers a list", "<ol><li>one</li><li>two</li></ol>", "1. one\n2. two"],
    ["begins each list at one", "<ol><li>a</li></ol><p>x</p><ol><li>b</li></ol>", "1. a\n\nx\n\n1. b"],
    [
      "indents a list in a list",
      "<ul><li>one<ol><li>inner</li></ol></li><li>two</li></ul>",
      "- one\n\n  1. inner\n\n- two",
    ],
    ["keeps a paragraph of an item in its line", "<ul><li><p>one</p></li></ul>", "- one"],
    [
      "writes a table",
      "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
      "| a | b |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "begins each table with a head",
      "<table><tr><td>a</td></tr></table><table><tr><td>b</td></tr></table>",
      "| a |\n| --- |\n\n| b |\n| --- |",
    ],
    [
      "keeps a cell in its row",
      "<table><tr><td>a<br>b<p>c</p><ul><li>d</ul></td></tr></table>",
      "| a b c d |\n| --- |",
    ],
    ["escapes the bar in a cell", "<table><tr><td>a|b</td></tr></table>", "| a\\|b |\n| --- |"],
    ["writes no row without cells", "<table><tr></tr></table>x", "x"],
    ["reads entities", "<p>1 &lt; 2 &amp; 3 &#8364; &eacute;</p>", "1 < 2 & 3 € é"],
    ["reads names of elements in any case", "<H2>Title</H2><SCRIPT>x</SCRIPT>", "## Title"],
    ["goes on behind a closing tag without an opening one", "</script></pre></ul>a  b", "a b"],
    ["shows what stands behind hidden elements in each other", "<svg><style>x</style>y</svg>z", "z"],
    ["holds nothing for nothing", "", ""],
  ] as const)
    it(name, () => {
      expect(textOf(html)).to.equal(expected);
    });

  it("takes the title out of the text", () => {
    expect(htmlToText("<title> A \n title </title><p>text</p>")).to.deep.equal({
      title: "A title",
      text: "text",
    });
  });
});

import { appendFileSync, cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";

interface Script {
  /** Builds the site of the Markdown files below `from` into `target/docs`. Rejects with what is wrong. */
  readonly buildDocs: (from: string, target: string) => Promise<void>;
}

const script = new URL("../../scripts/build-docs.mjs", import.meta.url).href;

/** A clone whose documentation can be changed. */
function copyOfClone(): string {
  const clone = temporaryFolder();
  for (const name of readdirSync(root).filter((one) => one !== "docs" && !one.startsWith(".")))
    symlinkSync(path.join(root, name), path.join(clone, name));
  cpSync(path.join(root, "docs"), path.join(clone, "docs"), { recursive: true });
  return clone;
}

describe("the build of the documentation", function () {
  this.timeout(30_000);
  let clone: string;
  beforeEach(() => {
    clone = copyOfClone();
  });

  const add = (text: string): void => appendFileSync(path.join(clone, "docs/undo.md"), `\n\n${text}\n`);
  const build = async (): Promise<string> => {
    const { buildDocs } = (await import(script)) as Script;
    const target = temporaryFolder();
    await buildDocs(clone, target);
    return brotliDecompressSync(readFileSync(path.join(target, "docs/undo.html.br"))).toString();
  };
  const failure = (): Promise<string> =>
    build().then(
      () => "none",
      (error: unknown) => String(error),
    );

  const faults: Readonly<Record<string, readonly [text: string, message: RegExp]>> = {
    "a link to a page that is not there": ["[x](nowhere.md)", /docs\/undo\.md: nowhere\.md leads nowhere/],
    "a link to a section that is not there": [
      "[x](settings.md#no-such)",
      /settings\.md#no-such names a section/,
    ],
    "a link to a section of its own that is not there": [
      "[x](#no-such)",
      /undo\.md: #no-such names a section/,
    ],
    "a link that leaves the clone": ["[x](../../../etc/passwd)", /leads nowhere/],
    "a link that is a script": ["[x](javascript:alert(1))", /leads nowhere/],
    "a picture from elsewhere": [
      "![x](https://example.org/x.png)",
      /undo\.md: https:\/\/example\.org\/x\.png is not a picture of docs\/pictures/,
    ],
    "a picture that is not there": ["![x](pictures/none.png)", /none\.png is not a picture/],
    "a picture without words": ["![](pictures/chat.png)", /undo\.md: pictures\/chat\.png needs words/],
    "a second headline": ["# Another", /undo\.md needs one heading of the first level/],
  };
  for (const [what, [text, message]] of Object.entries(faults))
    it(`fails for ${what}`, async () => {
      add(text);
      expect(await failure()).to.match(message);
    });

  it("fails for a page that no group names", async () => {
    writeFileSync(path.join(clone, "docs/stray.md"), "# Stray\n");
    expect(await failure()).to.match(/Put into a group of scripts\/site\/pages\.mjs.*: docs\/stray\.md$/);
  });

  it("shows pictures of the sources in their proportions, with the words for them", async () => {
    add('![The "chat"](pictures/chat.png)');
    expect(await build()).to.match(
      /<img src="\/docs\/chat-[0-9a-f]{8}\.png" alt="The &quot;chat&quot;" width="\d+" height="\d+">/,
    );
  });

  it("shows HTML as text, leaves comments out, and leads to pages, sections, other sites and sources", async () => {
    add("<img src=x onerror=alert(1)> and `<b>`\n\n<script>alert(1)</script>\n\n<!-- note -->");
    add("```html\n<script>alert(2)</script>\n```\n\n```nosuch\n<i>\n```\n\n## “A” & <b>\n\n## “A” & <b>");
    add(
      "[walls](plugins.md#walls), [decisions](decisions/), [start](../README.md), [out](https://example.org/?a&b)",
    );
    add("[the example](../examples/tool-hello), [again](#a--b-1)\n\n| A&B |\n|---|\n| <u>x</u> |");
    const html = await build();
    expect(html).not.to.match(/<(img|script|b|i|u)\b|<!--/);
    for (const part of [
      "&lt;img src=x onerror=alert(1)&gt; and <code>&lt;b&gt;</code>",
      "&lt;script&gt;alert(1)&lt;/script&gt;",
      "<pre><code>&lt;i&gt;</code></pre>",
      '<a href="/docs/plugins#walls">walls</a>',
      '<a href="/docs/decisions">decisions</a>',
      '<a href="/docs">start</a>',
      '<a href="https://example.org/?a&amp;b" rel="noopener noreferrer">out</a>',
      "the example (<code>examples/tool-hello</code>)",
      '<td data-column="A&amp;B">',
    ])
      expect(html).to.include(part);
    expect(html).to.match(/<pre><code><span class="hljs-tag">&lt;/);
  });
});

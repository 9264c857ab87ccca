import { expect } from "chai";
import { page, stopWeb, web } from "./web.ts";

const prose =
  "A stone arch carries its load by compression, which is why mortar matters so little to a well built one. ".repeat(
    4,
  );

describe("web_operations.scrape", function () {
  this.timeout(20_000);
  afterEach(stopWeb);

  it("gives the texts of what each selector matches, in order", async () => {
    const html = `<html><body><ul><li class="x">One <b>big</b></li><li>Two</li></ul><script class="x">no</script></body></html>`;
    const { origin, run, asked } = await web({ "/": html });
    const { data } = await run("scrape", { url: `${origin}/`, selectors: ["li", ".x", "h1"] });
    expect(data).to.deep.equal({
      url: `${origin}/`,
      selected: [
        { selector: "li", texts: ["One big", "Two"] },
        { selector: ".x", texts: ["One big"] },
        { selector: "h1", texts: [] },
      ],
    });
    await run("scrape", { url: `${origin}/`, selectors: ["b"] });
    expect(asked).to.have.length(1);
  });

  it("gives the page's text without selectors", async () => {
    const { origin, data } = await web({ "/": page("Arches", prose, prose) });
    expect((await data<{ readonly content: string }>("scrape", { url: `${origin}/` })).content).to.contain(
      prose.trim(),
    );
  });

  it("says what is wrong with a selector, and with a page that is none", async () => {
    const { origin, failure } = await web({
      "/": "<p>x</p>",
      "/text": { headers: { "content-type": "text/plain" }, body: "x" },
      "/deep": "<div>".repeat(5000),
    });
    const error = await failure("scrape", { url: `${origin}/`, selectors: ["p:::"] });
    expect(error.code).to.equal("invalid_value");
    expect(error.message).to.contain("p:::");
    expect((await failure("scrape", { url: `${origin}/text`, selectors: ["p"] })).code).to.equal(
      "invalid_value",
    );
    expect((await failure("scrape", { url: `${origin}/deep`, selectors: ["p"] })).message).to.contain(
      "deeply nested",
    );
  });
});

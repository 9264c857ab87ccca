import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { webOperations } from "../index.ts";
import { answer, operationNamed, page, stopWeb, web } from "./web.ts";

const advertised = webOperations.operations.filter(({ hidden }) => hidden !== true);
const prose =
  "A stone arch carries its load by compression, which is why mortar matters so little to a well built one. ".repeat(
    4,
  );

describe("web_operations", function () {
  this.timeout(20_000);
  afterEach(stopWeb);

  it("T11: has an operation behind each other name", () => {
    for (const [alias, operation] of Object.entries(webOperations.aliases ?? {}))
      expect(operationNamed(alias).name, alias).to.equal(operation);
    expect(operationNamed("research").parameters["query"]?.aliases).to.deep.equal(["topic"]);
  });

  it("T01: runs every operation, also by its other names", async () => {
    const { origin, run } = await web(
      {
        "/": page("Arches", prose, prose),
        "html.duckduckgo.com": answer("duckduckgo.html"),
        "serpapi.com": answer("serpapi-google.json"),
        "bridges.example.org": page("Stone", prose, prose),
        "en.wikipedia.org": page("Arch bridge", prose, prose),
      },
      {
        secrets: { "tools.web.search_keys.serpapi": "k" },
        preferences: { "tools.web.search_engine": "duckduckgo" },
      },
    );
    const calls: readonly (readonly [
      operation: string,
      args: Readonly<Record<string, Json>>,
      shape: readonly string[],
    ])[] = [
      [
        "research",
        { query: "stone arch", depth: "shallow" },
        [
          "type",
          "topic",
          "conducted_at",
          "source_count",
          "confidence",
          "research_depth",
          "key_findings",
          "top_sources",
        ],
      ],
      ["search", { query: "stone arch" }, ["results", "engine"]],
      ["web_search", { query: "stone arch" }, ["results", "engine"]],
      ["search_web", { query: "stone arch" }, ["results", "engine"]],
      ["fetch", { url: `${origin}/` }, ["url", "title", "content", "length", "truncated"]],
      ["fetch_url", { url: `${origin}/` }, ["url", "title", "content", "length", "truncated"]],
      ["retrieve", { query: "stone arch" }, ["count", "memories"]],
      ["scrape", { url: `${origin}/` }, ["url", "title", "content"]],
      ["serpapi", { query: "stone arch" }, ["results", "engine"]],
    ];
    expect(new Set(calls.map(([name]) => operationNamed(name).name))).to.have.keys(
      webOperations.operations.map(({ name }) => name),
    );
    for (const [name, args, shape] of calls)
      expect((await run(name, args)).data, name).to.have.all.keys(...shape);
  });

  it("marks every address for the policy, and changes nothing", () => {
    for (const { name, parameters, effect } of webOperations.operations) {
      expect(effect, name).to.equal("read");
      for (const [key, { format }] of Object.entries(parameters))
        expect(format === "uri", `${name}.${key}`).to.equal(key === "url");
    }
  });

  it("keeps its schema small", () => {
    const text = JSON.stringify(
      advertised.map(({ name, description, parameters, required }) => ({
        name,
        description,
        parameters,
        required,
      })),
    );
    expect(text.length).to.be.below(1100);
  });

  for (const { name, examples = [], parameters, required } of advertised) {
    it(`gives varied examples of ${name}, whose values stand in the phrase`, () => {
      expect(examples.length).to.be.at.least(3);
      expect(new Set(examples.map(({ say }) => say)).size).to.equal(examples.length);
      for (const { say, arguments: args } of examples) {
        expect(Object.keys(args).filter((key) => parameters[key] === undefined)).to.deep.equal([]);
        expect(required.filter((key) => args[key] === undefined)).to.deep.equal([]);
        expect(say).to.contain(
          JSON.stringify(args["url"] ?? args["query"])
            .replaceAll('"', "")
            .split(" ")
            .at(-1),
        );
      }
    });
  }

  it("shows a card for each operation", () => {
    for (const { name, display, parameters } of webOperations.operations) {
      const defaults = Object.fromEntries(
        Object.entries(parameters).map(([key, schema]) => [key, schema.default]),
      );
      const shown = (display as unknown as (args: unknown) => unknown)({
        ...defaults,
        query: "x",
        url: "https://x.example/",
      });
      expect(shown, name).to.include.keys("actionDisplayName", "summary", "details", "icon");
    }
  });
});

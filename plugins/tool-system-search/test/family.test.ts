import { expect } from "chai";
import { systemSearch } from "../index.ts";
import { indexes } from "../service/indexes.ts";
import { scene } from "./scene.ts";

describe("system_search", () => {
  after(() => indexes.close());

  it("answers to its older name, too", () => {
    expect(systemSearch.names).to.deep.equal(["spotlight_search"]);
  });

  it("T11: has an operation behind each bare name", () => {
    const names = systemSearch.operations.map(({ name }) => name);
    expect(Object.values(systemSearch.aliases ?? {})).to.have.members(names);
    expect(systemSearch.aliases?.["search_files"]).to.equal("search");
  });

  it("T01: runs every operation, reads only, and answers in its shape", async () => {
    const at = scene({ "note.txt": "fern" });
    const calls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      search: { query: "note" },
      search_content: { query: "fern" },
      search_metadata: { attribute: "extension", value: "txt" },
      recent_files: {},
      file_info: { path: at.path("note.txt") },
    };
    expect(Object.keys(calls)).to.have.members(systemSearch.operations.map(({ name }) => name));
    for (const { name, effect } of systemSearch.operations) {
      expect(effect, name).to.equal("read");
      if (name === "file_info")
        expect((await at.run(name, calls[name])).data).to.include({ name: "note.txt", size: 4 });
      else
        expect((await at.results(name, calls[name])).results, name).to.have.nested.property(
          "[0].path",
          at.path("note.txt"),
        );
    }
  });

  it("A10: marks every path for the policy", () => {
    for (const { name, parameters } of systemSearch.operations)
      for (const [key, { format }] of Object.entries(parameters))
        expect(format === "path", `${name}.${key}`).to.equal(/^(directory|path)$/.test(key));
  });

  for (const { name, examples = [], parameters, required, display } of systemSearch.operations) {
    it(`gives examples of ${name}, whose texts stand in the phrase, and a card`, () => {
      expect(examples.length).to.be.at.least(2);
      for (const { say, arguments: args } of examples) {
        expect(Object.keys(args).filter((key) => parameters[key] === undefined)).to.deep.equal([]);
        expect(required.filter((key) => args[key] === undefined)).to.deep.equal([]);
        for (const [key, value] of Object.entries(args))
          if (key !== "attribute") expect(say).to.contain(JSON.stringify(value).replaceAll('"', ""));
      }
      const show = display as unknown as (args: unknown) => unknown;
      expect(show({ hours: 24, ...examples[0]?.arguments })).to.include.keys(
        "actionDisplayName",
        "summary",
        "icon",
      );
    });
  }

  it("T34: says what is missing when no root exists", async () => {
    const at = scene({}, { settings: { "tools.system_search.roots": ["/nowhere/at/all"] } });
    const error = await at.failure("search", { query: "x" });
    expect([error.code, error.hint]).to.satisfy(
      ([code, hint]: [string, string]) =>
        code === "unavailable" && hint.includes("tools.system_search.roots"),
    );
  });
});

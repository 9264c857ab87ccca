import { expect } from "chai";
import { codeIntelligence } from "../index.ts";
import { commit, hasGit } from "./repository.ts";
import { operationNamed, workspace } from "./workspace.ts";

describe("code_intelligence", function () {
  this.timeout(20_000);

  it("T11: has an operation behind each bare name", () => {
    expect(codeIntelligence.aliases).to.deep.equal({
      list_usages: "list_usages",
      list_code_usages: "list_usages",
      search_history: "search_history",
    });
    for (const operation of Object.values(codeIntelligence.aliases ?? {}))
      expect(operationNamed(operation).name).to.equal(operation);
  });

  it("T01: runs every operation", async function () {
    if (!hasGit()) {
      console.log("      needs the Debian package git");
      this.skip();
    }
    const { root, data } = workspace({ "a.ts": "needle();\n" });
    const hash = commit(root, { message: "Add the needle", date: "2024-05-06T07:08:09Z" });
    const answers = {
      list_usages: [{ file: "a.ts", line: 1, column: 1, context: "needle();", kind: "call" }],
      search_history: [
        {
          hash,
          author: "Anna Bell",
          date: "2024-05-06T07:08:09Z",
          subject: "Add the needle",
          files: ["a.ts"],
        },
      ],
    };
    expect(Object.keys(answers)).to.have.members(codeIntelligence.operations.map(({ name }) => name));
    expect(await data("list_usages", { symbol_name: "needle", context_lines: 0 })).to.deep.equal(
      answers.list_usages,
    );
    expect(await data("search_history", { query: "needle" })).to.deep.equal(answers.search_history);
  });

  it("A10: marks every path for the policy, and only reads", () => {
    const paths = codeIntelligence.operations.flatMap(({ parameters }) =>
      Object.entries(parameters).flatMap(([key, schema]) =>
        (schema.items?.format ?? schema.format) === "path" ? [key] : [],
      ),
    );
    expect(paths).to.deep.equal(["file_paths", "repository_path"]);
    expect(codeIntelligence.operations.map(({ effect }) => effect)).to.deep.equal(["read", "read"]);
  });

  it("takes the parameters of the interface, with its defaults", () => {
    const shapes = codeIntelligence.operations.map(({ parameters, required }) => [
      required,
      Object.fromEntries(Object.entries(parameters).map(([key, schema]) => [key, schema.default])),
    ]);
    expect(shapes).to.deep.equal([
      [["symbol_name"], { symbol_name: undefined, file_paths: undefined, context_lines: 2 }],
      [
        ["query"],
        { query: undefined, max_results: 20, since: undefined, author: undefined, repository_path: "." },
      ],
    ]);
  });

  for (const { name, examples = [], parameters, required, display } of codeIntelligence.operations) {
    it(`gives examples of ${name} whose arguments are its own`, () => {
      expect(examples.length).to.be.at.least(2);
      for (const { arguments: args, say } of examples) {
        expect(parameters).to.include.keys(Object.keys(args));
        expect(args).to.include.keys([...required]);
        expect(say.toLowerCase()).to.contain(
          JSON.stringify(args["symbol_name"] ?? args["query"])
            .slice(1, -1)
            .toLowerCase(),
        );
      }
    });

    it(`shows a card for ${name}`, () => {
      const card = display?.({ symbol_name: "parseConfig", query: "timeout" } as never);
      expect(card?.summary).to.match(/: (parseConfig|timeout)$/);
    });
  }
});

import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { fileOperations } from "../index.ts";
import { operationNamed, workspace } from "./context.ts";

const advertised = fileOperations.operations.filter(({ hidden }) => hidden !== true);

/** The strings among the arguments of an example. */
const texts = (value: Json): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((item) => texts(item))
    : [];
};

describe("file_operations", () => {
  it("T11: has an operation behind each bare name and each other name", () => {
    for (const [alias, operation] of Object.entries(fileOperations.aliases ?? {}))
      expect(operationNamed(operation).name, alias).to.equal(operation);
    expect(operationNamed("list_code_usages").name).to.equal("list_usages");
    expect(operationNamed("search_index").name).to.equal("semantic_search");
    expect(operationNamed("get_search_results").name).to.equal("grep_search");
  });

  it("T01: runs every operation", async () => {
    const calls: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      read_file: { filePath: "a.txt" },
      list_dir: { filePath: "." },
      get_file_info: { filePath: "a.txt" },
      get_errors: { filePaths: ["a.json"] },
      read_tool_result: { toolCallId: "res_1" },
      file_search: { query: "*.txt" },
      grep_search: { query: "x" },
      semantic_search: { query: "x" },
      list_usages: { symbolName: "x" },
      create_file: { filePath: "new.txt" },
      write_file: { filePath: "b.txt", content: "y" },
      append_file: { filePath: "a.txt", content: "z" },
      replace_string: { filePath: "a.txt", oldString: "x", newString: "y" },
      multi_replace_string: { filePath: "a.txt", replacements: [{ oldString: "y", newString: "w" }] },
      insert_at_line: { filePath: "a.txt", lineNumber: 1, newText: "first" },
      rename_file: { oldPath: "a.txt", newPath: "c.txt" },
      delete_file: { filePath: "c.txt" },
      create_directory: { filePath: "d" },
      file_exists: { filePath: "d" },
      list_dir_recursive: { filePath: "d" },
      insert_edit: { filePath: "b.txt", lineNumber: 1, newText: "y" },
    };
    expect(Object.keys(calls)).to.have.members(fileOperations.operations.map(({ name }) => name));
    const { run } = workspace({ "a.txt": "x", "a.json": "{}" }, { results: { res_1: "text" } });
    for (const [name, args] of Object.entries(calls))
      expect((await run(name, args)).data, name).to.not.equal(undefined);
  });

  it("A10: marks every path for the policy, and writes by paths", () => {
    const isPath = /^(filePath|filePaths|directory|oldPath|newPath|target_directory)$/;
    for (const { name, parameters, effect, place } of fileOperations.operations) {
      for (const [key, schema] of Object.entries(parameters)) {
        const format = schema.items?.format ?? schema.format;
        expect(format === "path", `${name}.${key}`).to.equal(isPath.test(key));
      }
      if (effect !== "read") expect(place, name).to.equal("paths");
    }
  });

  it("says of everything that writes what may happen after a crash", () => {
    for (const { name, effect, recovery, reconcile } of fileOperations.operations) {
      if (effect === "read") continue;
      expect(recovery, name).to.not.equal(undefined);
      expect(reconcile !== undefined, name).to.equal(recovery === "reconcile");
    }
  });

  it("describes every parameter in the same words wherever it has the same name", () => {
    const words = new Map<string, Set<unknown>>();
    for (const { parameters } of advertised) {
      for (const [key, { description }] of Object.entries(parameters))
        words.set(key, (words.get(key) ?? new Set()).add(description));
    }
    expect(
      [...words].filter(([, descriptions]) => descriptions.size !== 1 || descriptions.has(undefined)),
    ).to.deep.equal([]);
  });

  for (const { name, examples = [], parameters, required } of advertised) {
    it(`gives varied examples of ${name}, whose values stand in the phrase`, () => {
      expect(examples.length).to.be.at.least(4);
      expect(new Set(examples.map(({ say }) => say)).size).to.equal(examples.length);
      for (const example of examples) {
        expect(Object.keys(example.arguments).filter((key) => parameters[key] === undefined)).to.deep.equal(
          [],
        );
        expect(
          required.filter((key) => example.arguments[key] === undefined && key !== "content"),
        ).to.deep.equal([]);
        for (const text of texts(example.arguments)) expect(example.say).to.contain(text);
      }
    });

    it(`shows a card for ${name}`, () => {
      const display = operationNamed(name).display as unknown as (args: unknown) => unknown;
      const defaults = Object.fromEntries(
        Object.entries(parameters).map(([key, schema]) => [key, schema.default]),
      );
      expect(display({ ...defaults, ...examples[0]?.arguments })).to.include.keys(
        "actionDisplayName",
        "summary",
        "details",
        "icon",
      );
    });
  }
});

describe("file_operations.read_tool_result", () => {
  it("reads a piece under its header", async () => {
    const { data } = workspace({}, { results: { res_1: "héllo 🙂 world" } });
    expect(await data("read_tool_result", { toolCallId: "res_1", offset: 1, length: 7 })).to.equal(
      "[TOOL_RESULT_CHUNK]\nOffset: 1\nLength: 7\nTotal Length: 13\nHas More: true\nNext Offset: 8\n\néllo 🙂 ",
    );
  });

  it("T16: fails for an unknown id", async () => {
    const error = await workspace().failure("read_tool_result", { toolCallId: "res_none" });
    expect(error.code).to.equal("not_found");
    expect(error.message).to.contain("not found");
  });

  for (const [contextWindow, length] of [
    [0, 8192],
    [200_000, 16_000],
    [1_000_000, 32_768],
  ] as const) {
    it(`reads ${length} characters by default in a context of ${contextWindow}`, async () => {
      const { data } = workspace({}, { results: { r: "x".repeat(50_000) }, contextWindow });
      expect(await data("read_tool_result", { toolCallId: "r" })).to.contain(`\nLength: ${length}\n`);
    });
  }

  it("is handed to the model whole", () => {
    expect(operationNamed("read_tool_result").keepWhole).to.equal(true);
  });
});

import { expect } from "chai";
import { ToolError, type Json } from "@pergola/sdk";
import { runOperation, toolContext, type TestContext } from "@pergola/sdk/testing";
import { memoryOperations } from "../index.ts";

type Arguments = Readonly<Record<string, unknown>>;

const advertised = memoryOperations.operations.filter(({ hidden }) => hidden !== true);

const named = (name: string) => {
  const found = memoryOperations.operations.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

/** Calls in one scope, with what they give back. */
function scene(context: TestContext = toolContext()) {
  const call = async (name: string, args: Arguments = {}) => runOperation(named(name), args, context);
  return {
    context,
    call,
    data: async (name: string, args?: Arguments) =>
      (await call(name, args)).data as Readonly<Record<string, Json>>,
    failure: async (name: string, args: Arguments = {}): Promise<ToolError> => {
      const error: unknown = await call(name, args).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (ToolError.is(error)) return error;
      throw new Error(`${name} did not fail with a ToolError`, { cause: error });
    },
  };
}

describe("memory_operations", () => {
  it("T11: has an operation behind each bare name", () => {
    for (const operation of Object.values(memoryOperations.aliases ?? {}))
      expect(named(operation).name).to.equal(operation);
  });

  it("T01: runs every operation, with the data and the effect that are documented", async () => {
    const { data, context } = scene();
    const [item] = await context.memory!.store([{ content: "to delete", origin: "user" }]);
    const id = item!.item.id;
    const calls: readonly (readonly [string, Arguments, string, readonly string[]])[] = [
      [
        "store_memory",
        { content: "The lake is deep" },
        "write",
        ["id", "type", "tags", "preview", "duplicate"],
      ],
      ["search_memory", { query: "lake" }, "read", ["count", "memories"]],
      ["recall_history", { query: "lake" }, "read", ["chunks"]],
      ["list_collections", {}, "read", ["total", "byType", "recent", "meanImportance"]],
      ["store", { key: "k", content: "v" }, "write", ["key"]],
      ["retrieve", { key: "k" }, "read", ["key", "content", "timestamp"]],
      ["search_kv", { query: "v" }, "read", ["entries"]],
      ["list_keys", {}, "read", ["keys"]],
      ["delete_key", { key: "k" }, "destructive", ["key"]],
      ["add_discovery", { fact: "Water is wet" }, "write", ["id", "fact"]],
      ["add_solution", { error: "rust", solution: "oil" }, "write", ["id"]],
      ["add_pattern", { pattern: "measure twice" }, "write", ["id"]],
      [
        "ltm_stats",
        {},
        "read",
        [
          "discoveries",
          "problem_solutions",
          "code_patterns",
          "workflows",
          "failures",
          "context_rules",
          "last_updated",
          "total_entries",
        ],
      ],
      ["prune_ltm", {}, "destructive", ["removed", "remaining"]],
      ["retrieve_memory", { query: "lake" }, "read", ["count", "memories"]],
      ["delete_memory", { id }, "destructive", ["id"]],
    ];
    expect(calls.map(([name]) => name)).to.have.members(memoryOperations.operations.map(({ name }) => name));
    for (const [name, args, effect, fields] of calls) {
      expect(named(name).effect, name).to.equal(effect);
      expect(await data(name, args), name).to.have.all.keys(fields);
    }
  });

  it("stores in the service's own store, and may repeat what a crash cut", () => {
    for (const operation of memoryOperations.operations.filter(({ effect }) => effect === "write"))
      expect([operation.place, operation.recovery], operation.name).to.deep.equal(["own", "repeat"]);
  });

  it("remembers everything it is given, and shows it again", async () => {
    const { data, context } = scene();
    const stored = await data("store_memory", {
      content: "Tea, no sugar",
      content_type: "preference",
      context: "breakfast",
      tags: ["drink"],
      metadata: { cups: 2 },
    });
    expect(stored).to.include({ type: "preference", preview: "Tea, no sugar", duplicate: false });
    const item = await context.memory!.get(stored["id"] as string);
    expect(item).to.deep.include({
      context: "breakfast",
      metadata: { cups: 2 },
      origin: "model",
      contentType: "preference",
    });
    const { memories } = await data("search_memory", { query: "sugar" });
    expect(memories).to.deep.equal([
      {
        id: stored["id"],
        type: "preference",
        content: "Tea, no sugar",
        similarity: 1,
        tags: ["drink"],
        created: item!.createdAt,
        origin: "model",
      },
    ]);
  });

  it("T23: says when it has stored the same a moment ago", async () => {
    const { data, context } = scene();
    const [first, again] = [
      await data("store_memory", { content: "x" }),
      await data("store_memory", { content: "x" }),
    ];
    expect([first["duplicate"], again["duplicate"], again["id"]]).to.deep.equal([false, true, first["id"]]);
    context.clock.advance(300_001);
    expect((await data("store_memory", { content: "x" }))["duplicate"]).to.equal(false);
  });

  it("counts a call by hand as the person's", async () => {
    const { data, context } = scene(toolContext({ run: null }));
    const { id } = await data("add_discovery", { fact: "by hand" });
    expect((await context.memory!.get(id as string))!.origin).to.equal("user");
  });

  it("T13: takes the threshold as text, and shows nothing below it", async () => {
    const { data } = scene();
    await data("store_memory", { content: "a red fox" });
    const count = async (similarity_threshold: string) =>
      (await data("search_memory", { query: "red wolf", similarity_threshold }))["count"];
    expect([await count("0.3"), await count(".5"), await count("0.6")]).to.deep.equal([1, 1, 0]);
    expect(named("search_memory").parameters["limit"]?.aliases).to.deep.equal(["top_k", "max_results"]);
  });

  it("keeps one value under a key, finds it by part of key or value, and forgets it", async () => {
    const { data, failure } = scene();
    await data("store", { key: "printer", content: "room 4" });
    await data("store", { key: "printer", content: "room 5" });
    expect(await data("retrieve", { key: "printer" })).to.include({ key: "printer", content: "room 5" });
    for (const query of ["print", "ROOM"])
      expect((await data("search_kv", { query }))["entries"], query).to.have.lengthOf(1);
    expect(await data("list_keys")).to.deep.equal({ keys: ["printer"] });
    expect((await failure("retrieve", { key: "printers" })).hint).to.include("printer");
    await data("delete_key", { key: "printer" });
    for (const operation of ["retrieve", "delete_key"])
      expect((await failure(operation, { key: "printer" })).code, operation).to.equal("not_found");
  });

  it("keeps errors with their solutions, and patterns with their examples", async () => {
    const { data, context } = scene();
    const { id } = await data("add_solution", {
      error: "port in use",
      solution: "stop the other",
      examples: ["lsof -i"],
    });
    expect((await context.memory!.get(id as string))!.content).to.equal(
      "Problem: port in use\nSolution: stop the other\nExamples:\n- lsof -i",
    );
    const pattern = await data("add_pattern", { pattern: "early return", confidence: 0.4 });
    expect((await context.memory!.get(pattern["id"] as string))!.confidence).to.equal(0.4);
    await data("add_discovery", { fact: "it works" });
    await context.memory!.store([{ content: "a flow", contentType: "workflow", origin: "import" }]);
    await context.memory!.store([{ content: "another flow", contentType: "workflow", origin: "model" }]);
    expect(await data("ltm_stats")).to.include({
      discoveries: 1,
      problem_solutions: 1,
      code_patterns: 1,
      workflows: 1,
      failures: 0,
      total_entries: 4,
    });
  });

  it("prunes long-term memory only", async () => {
    const { data } = scene();
    await data("store_memory", { content: "a memory" });
    await data("add_discovery", { fact: "weak", confidence: 0.1 });
    await data("add_discovery", { fact: "strong" });
    expect(await data("prune_ltm")).to.deep.equal({ removed: 1, remaining: 1 });
    expect((await data("list_collections"))["total"]).to.equal(2);
  });

  it("tells after a crash whether a delete happened", async () => {
    const { data, context } = scene();
    await data("store", { key: "k", content: "v" });
    const { id } = await data("store_memory", { content: "m" });
    const asked = async (name: string, args: object) => named(name).reconcile?.(args as never, context);
    expect(await asked("delete_key", { key: "k" })).to.equal("did_not_happen");
    expect(await asked("delete_memory", { id })).to.equal("did_not_happen");
    await data("delete_memory", { key: "k" });
    await data("delete_memory", { id });
    expect(await asked("delete_key", { key: "k" })).to.equal("happened");
    expect(await asked("delete_memory", { id })).to.equal("happened");
    expect(await asked("delete_memory", { key: "k" })).to.equal("happened");
  });

  it("says what is missing, and what is not there", async () => {
    const { failure } = scene();
    for (const name of ["retrieve_memory", "delete_memory"])
      expect((await failure(name)).code, name).to.equal("missing_required");
    expect((await failure("delete_memory", { id: "none" })).code).to.equal("not_found");
    const without = scene(toolContext({ memory: undefined }));
    expect((await without.failure("search_memory", { query: "x" })).code).to.equal("unavailable");
  });

  it("has examples for everything that it advertises, with arguments that it takes", () => {
    for (const { name, examples = [], parameters, required } of advertised) {
      expect(examples, name).to.not.have.lengthOf(0);
      for (const { arguments: args } of examples) {
        expect(Object.keys(parameters), name).to.include.members(Object.keys(args));
        expect(Object.keys(args), name).to.include.members([...required]);
      }
    }
  });
});

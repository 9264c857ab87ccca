import { expect } from "chai";
import { openStage, type Stage } from "../support/host.ts";
import { calling, outcomesOf, play, saying } from "../support/lab-stage.ts";
import { topicsAt } from "../support/topic-stage.ts";
import { verifies } from "../support/verifies.ts";

/** Conversations `one` and `two` are attached to a topic; `three` is not, `four` may only read it. */
describe("what a topic shares", () => {
  let stage: Stage;
  let topicId: string;
  const { json, make, detail, attach, call, say } = topicsAt(() => stage);

  before(async function () {
    this.timeout(30_000);
    stage = await openStage([], { settings: { storage: { type: "sqlite" }, "tools.disabled": [] } });
    topicId = (await make("Shared")).id;
    for (const id of ["one", "two", "three", "four"]) await json("POST", "/v1/conversations", { id });
    for (const id of ["one", "two"]) await attach(id, { topicId });
    await attach("four", { topicId, access: "read" });
  });
  after(() => stage.end());

  const everybody = ["one", "two", "three"];
  const each = <T>(of: (id: string) => Promise<T>): Promise<readonly T[]> => Promise.all(everybody.map(of));
  const works = (id: string, tool: string, args: object) =>
    call(id, tool, args).then(({ success }) => success);
  const byModel = async (conversationId: string, name: string, args: object, more: object = {}) => {
    await play(stage, [calling({ name, arguments: args as never }), saying("ok")], {
      conversationId,
      ...more,
    });
    return (await outcomesOf(stage.host, conversationId)).at(-1)!;
  };

  verifies(["topics:scope", "T24", "T26"], "is memory, values and long-term memory", async () => {
    await call("one", "store_memory", { content: "The barn is red" });
    await call("one", "memory_operations.store", { key: "barn", content: "red" });
    await call("one", "add_discovery", { fact: "Barns burn" });
    const found = async (id: string) =>
      (await call(id, "search_memory", { query: "barn barns", similarity_threshold: 0.1 })).data ?? "";
    const counts = await each(async (id) => (JSON.parse(await found(id)) as { count: number }).count);
    expect(counts).to.deep.equal([3, 3, 0]);
    expect(await each((id) => works(id, "retrieve_memory", { key: "barn" }))).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  verifies("topics:scope", "is files", async () => {
    await call("one", "write_file", { filePath: "plan.txt", content: "sow" });
    expect(await each((id) => works(id, "read_file", { filePath: "plan.txt" }))).to.deep.equal([
      true,
      true,
      false,
    ]);
    await call("two", "write_file", { filePath: "plan.txt", content: "reap" });
    expect((await call("one", "read_file", { filePath: "plan.txt" })).content).to.contain("reap");
  });

  verifies("topics:scope", "is terminal sessions", async () => {
    const opened = await call("one", "terminal_operations.create_session", {});
    const { session_id } = JSON.parse(opened.data ?? "{}") as { session_id: string };
    expect(await each((id) => works(id, "terminal_operations.get_output", { session_id }))).to.deep.equal([
      true,
      true,
      false,
    ]);
    const lent = { service_config: { memory_collection_id: topicId } };
    const visited = await byModel("three", "terminal_operations.get_output", { session_id }, lent);
    expect(visited).to.include({ success: false, error_code: "not_found" });
    await call("two", "terminal_operations.close_session", { session_id });
  });

  verifies("topics:scope", "is not todos", async () => {
    await call("one", "todo_operations", {
      operation: "write",
      todoList: [{ id: 1, title: "Sow the beans", status: "not-started" }],
    });
    const lists = await each(async (id) =>
      JSON.stringify(await call(id, "todo_operations", { operation: "read" })),
    );
    expect(lists.map((text) => text.includes("Sow the beans"))).to.deep.equal([true, false, false]);
  });

  verifies("topics:scope", "is not messages: what was said stays with who said it", async () => {
    await say("one", "The password is swordfish");
    const said = await each(async (id) =>
      JSON.stringify((await json("GET", `/v1/conversations/${id}`)).body),
    );
    expect(said.map((text) => text.includes("swordfish"))).to.deep.equal([true, false, false]);
    await say("two", "What is the password?");
    const seen = JSON.stringify(stage.provider.requests.at(-1)?.body);
    expect(seen.replaceAll(/<memory>.*?<\/memory>/g, "")).to.not.contain("swordfish");
    expect(/<memory>.*?<\/memory>/.exec(seen)?.[0])
      .to.contain("said in another conversation")
      .and.contain("swordfish");
  });

  verifies("topics:source", "tells where it comes from", async () => {
    await byModel("one", "store_memory", { content: "The mill stands still" });
    await call("two", "store_memory", { content: "The mill turns" });
    const { items } = await stage.host.services.memory!.list({ scope: topicId, limit: 2 });
    const [one, two] = await Promise.all(["one", "two"].map(async (id) => (await detail(id)).id));
    const { body } = await json<{ runs: readonly { id: string }[] }>(
      "GET",
      "/api/runs?conversationId=one&limit=1",
    );
    expect(items.map(({ source }) => [source?.conversationId, source?.runId])).to.deep.equal([
      [two, null],
      [one, body.runs[0]?.id],
    ]);
    for (const { source } of items) expect(source?.callId).to.match(/^call_/);
  });

  verifies("topics:access", "is found and shown where it may only be read", async () => {
    await call("one", "store_memory", { content: "The loft is dry" });
    expect((await call("four", "search_memory", { query: "loft" })).data).to.contain("dry");
    expect(await works("four", "retrieve_memory", { key: "barn" })).to.equal(true);
    expect(await works("four", "read_file", { filePath: "plan.txt" })).to.equal(true);
    expect((await detail("four")).settings).to.include({ sharedTopicAccess: "read" });
  });

  verifies("topics:access", "is not changed by memory where it may only be read", async () => {
    const stored = await call("one", "store_memory", { content: "The gate squeaks" });
    const { id } = JSON.parse(stored.data ?? "") as { id: string };
    const before = await stage.host.services.memory!.statistics(topicId);
    const denied = async (tool: string, args: object) => {
      const { success, error_code: code, message } = await call("four", tool, args);
      expect([success, code], tool).to.deep.equal([false, "permission_denied"]);
      expect(message, tool).to.contain("write");
    };
    await denied("store_memory", { content: "The gate is silent" });
    await denied("memory_operations.store", { key: "barn", content: "green" });
    await denied("delete_memory", { id });
    await denied("memory_operations.delete_key", { key: "barn" });
    await denied("add_discovery", { fact: "Gates rust" });
    await denied("memory_operations", { operation: "prune_ltm" });
    await denied("document_operations.document_import", { path: "plan.txt" });
    expect((await call("one", "document_operations.document_list", {})).data).to.not.contain("plan.txt");
    expect(await byModel("four", "store_memory", { content: "x" })).to.include({
      success: false,
      error_code: "permission_denied",
    });
    expect(await stage.host.services.memory!.statistics(topicId)).to.deep.equal(before);
  });

  verifies(
    "topics:access",
    "is not changed by files where it may only be read, by no path and nobody's word",
    async () => {
      const { workingDirectory: folder } = await detail("one");
      expect((await detail("four")).workingDirectory).to.equal(folder);
      const denied = async (tool: string, args: object) =>
        expect(await call("four", tool, args), tool).to.include({
          success: false,
          error_code: "permission_denied",
        });
      await denied("write_file", { filePath: "plan.txt", content: "burn" });
      await denied("write_file", { filePath: `${folder}/new.txt`, content: "burn" });
      await denied("rename_file", { oldPath: "plan.txt", newPath: "/tmp/plan.txt" });
      await denied("delete_file", { filePath: "plan.txt" });
      await denied("create_directory", { dirPath: "sub" });
      await denied("terminal_operations.run_command", { command: "touch stamp" });
      await denied("git_commit", { message: "x" });
      expect(await byModel("four", "write_file", { filePath: "new.txt", content: "x" })).to.include({
        error_code: "permission_denied",
      });
      expect((await call("one", "read_file", { filePath: "plan.txt" })).content).to.contain("reap");
      expect(await works("one", "write_file", { filePath: "new.txt", content: "x" })).to.equal(true);
      expect(
        (await stage.host.json("PATCH", "/v1/conversations/four", { settings: { useSharedData: false } }))
          .status,
      ).to.equal(200);
      await denied("write_file", { filePath: `${folder}/new.txt`, content: "burn" });
      expect(await works("four", "write_file", { filePath: "own.txt", content: "x" })).to.equal(true);
      await attach("four", { topicId, access: "write" });
      expect(await works("four", "write_file", { filePath: "new.txt", content: "y" })).to.equal(true);
    },
  );

  verifies("topics:access", "is out of reach where a conversation is not attached", async () => {
    const outside = await call("three", "recall_history", { query: "barn", topic_id: topicId });
    expect(outside).to.include({ success: false, error_code: "permission_denied" });
    const { items } = await stage.host.services.memory!.list({ scope: topicId, limit: 1 });
    const id = items[0]!.id;
    expect(await call("three", "delete_memory", { id })).to.include({
      success: false,
      error_code: "not_found",
    });
    expect(
      (await call("three", "search_memory", { query: items[0]!.content, similarity_threshold: 0 })).data,
    ).to.contain('"count":0');
  });
});

import path from "node:path";
import { expect } from "chai";
import type { Operation } from "@pergola/sdk";
import { startTestHost, toolContext } from "@pergola/sdk/testing";
import { todoOperations } from "../index.ts";
import { failure, item, list, operationNamed } from "./lists.ts";

const outcome = (operation: Operation, context: object) =>
  operation.reconcile?.({} as never, context as never);

describe("todo_operations", () => {
  it("T01: runs every operation, with the shapes that the interface names", async () => {
    const { run, stored } = list();
    const zero = { "not-started": 0, "in-progress": 0, completed: 0, blocked: 0 };
    const calls = [
      ["write", { todoList: [item(1)] }, { before: zero, after: { ...zero, "not-started": 1 } }],
      ["add", { newTodos: [{ title: "Second" }] }, { added: [{ id: 2, title: "Second" }] }],
      [
        "update",
        { todoUpdates: [{ id: 1, status: "completed" }] },
        { applied: [1], failed: [], redundant: [] },
      ],
      ["read", {}, "NOT STARTED\n2. Second\n\nCOMPLETED\n1. Step 1\n\n1/2 completed"],
    ] as const;
    const listed = todoOperations.operations.filter(({ hidden }) => hidden !== true);
    expect(calls.map(([name]) => name)).to.have.members(listed.map(({ name }) => name));
    for (const [name, args, data] of calls) expect((await run(name, args)).data, name).to.deep.equal(data);
    expect((await stored()).map(({ status }) => status)).to.deep.equal(["completed", "not-started"]);
  });

  it("T21: has stored what it reports as done", async () => {
    const { write, update, stored } = list();
    await write(item(1), item(2));
    const { data, message } = await update({ id: 2, status: "in-progress", progress: 0.5 });
    expect(data).to.deep.equal({ applied: [2], failed: [], redundant: [] });
    expect(message).to.equal("Changed: 2. 0/2 completed.");
    expect(await stored()).to.deep.equal([item(1), item(2, { status: "in-progress", progress: 0.5 })]);
  });

  it("tells unknown and needless updates from those that were made", async () => {
    const { write, update } = list();
    await write(item(1), item(2));
    const { data, message } = await update(
      { id: 9, status: "completed" },
      { id: 1, status: "completed" },
      { id: 2, title: "Step 2" },
    );
    expect(data).to.deep.equal({
      applied: [1],
      failed: [{ id: 9, reason: "There is no to-do 9." }],
      redundant: [2],
    });
    expect(message).to.equal(
      "Changed: 1. Already so: 2. Not in the list: 9. In the list: 1, 2. 1/2 completed.",
    );
  });

  it("judges the updates of a call together: one ends while the next begins, in any order", async () => {
    const { write, update, stored } = list();
    await write(item(1, { status: "in-progress" }), item(2));
    await update({ id: 2, status: "in-progress" }, { id: 1, status: "completed" });
    expect((await stored()).map(({ status }) => status)).to.deep.equal(["completed", "in-progress"]);
  });

  it("T20: refuses updates that break a rule, the good ones among them too", async () => {
    const { write, update, stored } = list();
    await write(item(1, { status: "in-progress" }), item(2), item(3, { dependencies: [2] }));
    const { message } = await failure(
      update({ id: 1, title: "Changed" }, { id: 2, status: "in-progress", dependencies: [3] }),
    );
    expect(message).to.equal(
      "Dependencies run in a circle: 2 → 3 → 2. Only one to-do may be in-progress, not 1 and 2.",
    );
    expect((await stored())[0]?.title).to.equal("Step 1");
  });

  it("forgets the reason of a block that is over", async () => {
    const { write, update } = list();
    await write(item(1, { status: "blocked", blockedReason: "No key" }));
    await update({ id: 1, status: "not-started" });
    expect((await failure(update({ id: 1, status: "blocked" }))).message).to.contain(
      "without a blockedReason",
    );
  });

  it("gives new to-dos the ids after the highest", async () => {
    const { write, add, stored } = list();
    await write(item(7));
    await add({ title: "A" }, { title: "B", priority: "high", status: "in-progress" });
    expect((await stored()).map(({ id, status }) => [id, status])).to.deep.equal([
      [7, "not-started"],
      [8, "not-started"],
      [9, "in-progress"],
    ]);
  });

  it("refuses a new to-do that is blocked, and says how to add it", async () => {
    const { code, hint } = await failure(list().add({ title: "A", status: "blocked" }));
    expect(code).to.equal("invalid_value");
    expect(hint).to.contain("Add them as not-started");
  });

  it("shows the list in groups, what is under way first", async () => {
    const { write, text } = list();
    await write(
      item(1, { status: "completed" }),
      item(2, {
        priority: "high",
        progress: 0.255,
        dependencies: [1, 4],
        canRunParallel: true,
        parallelGroup: "a",
      }),
      item(3, { status: "blocked", blockedReason: "No\nkey" }),
      item(4, { status: "in-progress", description: "Two\nlines" }),
    );
    expect(await text()).to.equal(
      [
        "IN PROGRESS\n4. Step 4\n   Two lines",
        "BLOCKED\n3. Step 3 (blocked: No key)",
        "NOT STARTED\n2. Step 2 (high priority; 26 %; depends on 1, 4; can run parallel; group a)",
        "COMPLETED\n1. Step 1",
        "1/4 completed",
      ].join("\n\n"),
    );
  });

  it("shows an empty list as such", async () => {
    const { data, message } = await list().run("read");
    expect([data, message]).to.deep.equal(["0/0 completed", "The list is empty."]);
  });

  it("keeps the lists of two conversations of one topic apart", async () => {
    const context = toolContext({ scope: "topic" });
    await list(context).write(item(1));
    expect(await list({ ...context, conversationId: "c2" }).stored()).to.deep.equal([]);
  });

  it("loses none of many changes at once", async () => {
    const context = toolContext();
    await Promise.all(Array.from({ length: 40 }, (_, index) => list(context).add({ title: `T${index}` })));
    const items = await list(context).stored();
    expect(items.map(({ id }) => id)).to.deep.equal(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  it("goes on after a change that was refused", async () => {
    const { write, add, stored } = list();
    const refused = failure(write(item(1, { dependencies: [9] })));
    await add({ title: "A" });
    expect((await refused).code).to.equal("invalid_value");
    expect(await stored()).to.have.length(1);
  });

  it("says after a crash whether an add happened", async () => {
    const { context, add } = list();
    expect(await outcome(operationNamed("add"), context)).to.equal("did_not_happen");
    await add({ title: "A" });
    expect(await outcome(operationNamed("add"), context)).to.equal("happened");
    expect(await outcome(operationNamed("add"), { ...context, callId: "call_2" })).to.equal("did_not_happen");
  });

  it("has an operation behind each bare name, phrases for each, and a place for each write", () => {
    const bare = { todo_read: "read", todo_write: "write", todo_update: "update", todo_add: "add" };
    expect(todoOperations.aliases).to.deep.equal({
      ...bare,
      "memory_operations.manage_todos": "manage_todos",
    });
    const listed = todoOperations.operations.filter(({ hidden }) => hidden !== true);
    for (const { name, effect, place, recovery, examples = [], parameters } of listed) {
      expect(examples.length, name).to.be.at.least(2);
      expect([place, recovery !== undefined], name).to.deep.equal(
        effect === "read" ? [undefined, false] : ["own", true],
      );
      for (const schema of Object.values(parameters)) expect(schema.aliases, name).to.deep.equal(["todos"]);
    }
  });
});

describe("todo_operations in a host", function () {
  this.timeout(30_000);

  it("T21: takes other spellings, asks nobody, and keeps the list over a restart", async () => {
    const own = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };
    const host = await startTestHost({ plugins: ["@pergola/bundle-standard", own] });
    const call = async (toolName: string, args: object) =>
      (await host.json<{ result: string }>("POST", "/debug/mcp/execute", { toolName, arguments: args })).body;
    try {
      const todos = [{ id: "1", title: "A", status: "In_Progress" }, { id: 2, title: "B", status: "blocked", blocked_reason: "x" }]; // prettier-ignore
      await call("todo_write", { todos });
      await host.restart();
      const { result } = await call("TODO_OPERATIONS.read", {});
      expect(result).to.equal("IN PROGRESS\n1. A\n\nBLOCKED\n2. B (blocked: x)\n\n0/2 completed");
    } finally {
      await host.stop();
    }
  });
});

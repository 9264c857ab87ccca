import { expect } from "chai";
import type { OfferedTool } from "@pergola/sdk";
import { family, operation, text } from "./sample-tools.ts";
import { Talk } from "./talk.ts";

const number = { type: "number" } as const;
const path = { type: "string", format: "path" } as const;
const action = { type: "string", enum: ["list", "create", "delete", "drop"], default: "list" } as const;

const messenger = family(
  "messenger",
  "Helpers.",
  operation(
    "tell_helpers",
    "write",
    { message: text },
    ["message"],
    ["tell all helpers to finish", { message: "finish" }],
    ["write to all helpers: be brief", { message: "be brief" }],
  ),
  operation(
    "end_helper",
    "write",
    { agent_id: text },
    ["agent_id"],
    ["stop agent_1a2b3c", { agent_id: "agent_1a2b3c" }],
  ),
  operation(
    "task_update",
    "write",
    { id: number, state: text },
    ["id"],
    ["task 4 is done", { id: 4, state: "done" }],
  ),
);

const labels: OfferedTool = family("labels", "Labels.", {
  ...operation(
    "label",
    "write",
    { action, name: text },
    [],
    ["list the labels", {}],
    ["create the label red", { action: "create", name: "red" }],
    ["delete the label old", { action: "delete", name: "old" }],
    ["put everything under a label", { action: "create" }],
  ),
  effects: ["read", "write"],
});

const machines = family(
  "machines",
  "Machines.",
  operation(
    "wake_machine",
    "write",
    { host: text, delay: number, folder: path },
    ["host"],
    ["wake root@one", { host: "root@one" }],
    ["wake me@two in the folder /srv", { host: "me@two", folder: "/srv" }],
  ),
  operation(
    "probe_machine",
    "execute",
    { host: text },
    ["host"],
    ["is root@one awake?", { host: "root@one" }],
  ),
);

const patcher = family("patcher", "Patches.", {
  ...operation(
    "apply_change",
    "write",
    { change: text, dry_run: { type: "boolean", default: false } },
    ["change"],
    ['apply the change "a"', { change: "a" }],
    ['would the change "a" apply?', { change: "a", dry_run: true }],
  ),
});

const tools: readonly OfferedTool[] = [messenger, labels, machines, patcher];
const say = (message: string) => new Talk({ tools }).say(message);
const callsFor = async (message: string) => (await say(message)).calls;

describe("an order that follows an example", () => {
  it("may tell on what would speak against an order of its own", async () => {
    expect(await callsFor("tell all helpers to stop if it rains")).to.deep.equal([
      { operation: "tell_helpers", message: "stop if it rains" },
    ]);
  });

  it("is none when it is taken back or put off", async () => {
    expect(await callsFor("tell all helpers to rest, no wait")).to.deep.equal([]);
    expect(await callsFor("tell all helpers to rest tomorrow")).to.deep.equal([]);
  });

  it("may begin with a word such as stop, where the example does", async () => {
    expect(await callsFor("stop agent_9f8e7d")).to.deep.equal([
      { operation: "end_helper", agent_id: "agent_9f8e7d" },
    ]);
    expect(await callsFor("don't stop agent_9f8e7d")).to.deep.equal([]);
  });

  it("is none when it tells what was done", async () => {
    expect(await callsFor("I stopped agent_9f8e7d")).to.deep.equal([]);
  });

  it("minds a colon of the example", async () => {
    expect(await callsFor("write to all helpers: use short words")).to.deep.equal([
      { operation: "tell_helpers", message: "use short words" },
    ]);
  });

  it("may be a statement, where the example is", async () => {
    expect(await callsFor("task 7 is done")).to.deep.equal([
      { operation: "task_update", id: 7, state: "done" },
    ]);
    expect((await say("the cake is done")).text).to.equal("Noted. The cake is done.");
  });

  it("takes addresses, paths and numbers by name", async () => {
    expect(await callsFor("wake admin@three")).to.deep.equal([
      { operation: "wake_machine", host: "admin@three" },
    ]);
    expect(await callsFor("wake admin@three in the folder /opt/x")).to.deep.equal([
      { operation: "wake_machine", host: "admin@three", folder: "/opt/x" },
    ]);
    expect(await callsFor("wake admin@three with a delay of 30")).to.deep.equal([
      { operation: "wake_machine", host: "admin@three", delay: 30 },
    ]);
  });
});

describe("a choice between reading and changing", () => {
  it("is read off the verb", async () => {
    expect(await callsFor("remove the label blue")).to.deep.equal([{ action: "delete", name: "blue" }]);
  });

  it("is reading for a question, and asked for where nothing tells", async () => {
    expect(await callsFor("which labels are there?")).to.deep.equal([{}]);
    expect(await callsFor("label my things")).to.deep.equal([]);
  });

  it("is no reading for a question about the how or the why", async () => {
    expect(await callsFor("how do I label things?")).to.deep.equal([]);
    expect(await callsFor("why was the label red deleted?")).to.deep.equal([]);
  });
});

describe("a question about a change", () => {
  it("is asked back where the examples are questions too", async () => {
    const { calls, text: answer } = await say("is admin@three awake now or asleep?");
    expect(calls).to.deep.equal([]);
    expect(answer).to.match(/^Shall I do this: probe machine/);
  });

  it("is tried out where the operation can", async () => {
    expect(await callsFor('would the change "b" apply?')).to.deep.equal([{ change: "b", dry_run: true }]);
    expect(await callsFor('apply the change "b"')).to.deep.equal([{ change: "b" }]);
  });

  it("of what can be done at all leads to no call", async () => {
    expect(await callsFor("can you label things?")).to.deep.equal([]);
  });
});

describe("a value in bare words", () => {
  const jotter = family(
    "jotter",
    "Pages.",
    operation(
      "append_page",
      "write",
      { page: text, text },
      ["page", "text"],
      ["jot down tea on the page Food", { page: "Food", text: "tea" }],
    ),
  );
  const diary = family(
    "diary",
    "Diary.",
    operation("add_entry", "write", { title: text }, ["title"], ["jot down lunch", { title: "lunch" }]),
  );

  it("is taken at once when the whole sentence follows", async () => {
    const { calls } = await new Talk({ tools: [diary, jotter] }).say("jot down supper");
    expect(calls).to.deep.equal([{ title: "supper" }]);
  });

  it("is not taken at once when it holds what another family would change", async () => {
    const { calls, text: answer } = await new Talk({ tools: [diary, jotter] }).say(
      "jot down buy milk on my page",
    );
    expect(calls).to.deep.equal([]);
    expect(answer).to.include("?");
  });
});

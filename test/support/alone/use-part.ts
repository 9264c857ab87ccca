import { expect } from "chai";
import type { Serving } from "./serve.ts";
import { callOperation, type ToolCall, type Use, type UseOf } from "./use.ts";

const thought: ToolCall = { operation: "think", arguments: { thoughts: "What is asked?" } };
const think = async (serving: Serving): Promise<void> => callOperation(serving, "think", thought);

const answers =
  (route: string, status = 200): Use["check"] =>
  async ({ ask }) => {
    expect((await ask("GET", route)).status).to.equal(status);
  };

/** Makes a record of a name, and finds it in the list. */
const keeps =
  (route: string, list: string): Use["check"] =>
  async ({ ask }) => {
    expect((await ask("POST", route, { name: "Plans" })).status).to.equal(201);
    const { body } = await ask<Readonly<Record<string, readonly { readonly name: string }[]>>>("GET", route);
    expect(body[list]?.map(({ name }) => name)).to.deep.equal(["Plans"]);
  };

/** Makes a conversation, and finds it again. */
export const converse: Use["check"] = async ({ ask }) => {
  const { body } = await ask<{ readonly id: string }>("POST", "/v1/conversations", { title: "Plans" });
  expect((await ask("GET", `/v1/conversations/${body.id}`)).body).to.include({ title: "Plans" });
};

/** Lists the working directory of a new conversation, which is empty. */
const listFiles: Use["check"] = async ({ ask }) => {
  const { body } = await ask<{ readonly id: string }>("POST", "/v1/conversations", { title: "Plans" });
  const listed = await ask("GET", `/v1/conversations/${body.id}/files`);
  expect(listed.body).to.include({ path: "", count: 0 });
};

/** Makes a schedule, and finds it in the list with its next start. */
const schedule: Use["check"] = async ({ ask }) => {
  const made = await ask<{ readonly nextAt: string }>("POST", "/api/schedules", {
    cron: "@daily",
    prompt: "Plan",
    maxCostUsd: 1,
  });
  expect(Date.parse(made.body.nextAt)).to.be.above(Date.now());
  const { body } = await ask<{ readonly schedules: readonly object[] }>("GET", "/api/schedules");
  expect(body.schedules).to.deep.equal([made.body]);
};

/** A schema that nothing can follow is refused by the thread that compiles it. */
const refuseSchema: Use["check"] = async ({ ask }) => {
  const schema = { $ref: "#/$defs/none" };
  const { status, body } = await ask<{ readonly error?: { readonly message: string } }>(
    "POST",
    "/v1/chat/completions",
    {
      model: "default",
      messages: [{ role: "user", content: "Plan" }],
      response_format: { type: "json_schema", json_schema: { name: "plan", schema } },
    },
  );
  expect([status, body.error?.message]).to.deep.equal([
    400,
    "The schema of response_format cannot be used: can't resolve reference #/$defs/none from id #.",
  ]);
};

/** Calls of one family, one after the other. */
const calls =
  (family: string, wanted: readonly ToolCall[]): Use["check"] =>
  async (serving) => {
    for (const one of wanted) await callOperation(serving, family, one);
  };

/** Keeps a secret, and hands it to a setting that refers to it. */
const keepSecret: Use["check"] = async ({ ask, pergola }) => {
  const key = "tools.image.api_key";
  const refer = (secret: string) => ask("PATCH", "/api/preferences", { [key]: { secret } });
  expect((await refer("plans")).status).to.equal(400);
  await pergola(["secrets", "set", "plans"], "canary-of-plans");
  expect(await pergola(["secrets", "list"])).to.equal("plans  in the encrypted file in the data directory\n");
  const { status, body } = await refer("plans");
  expect({ status, body }).to.deep.nested.include({
    status: 200,
    "body.preferences": { [key]: { set: true } },
  });
};

/** What each part of the host is seen by. */
const parts: Readonly<Record<string, Use>> = {
  doors: {
    companions: ["tool-notes-operations"],
    check: calls("notes_operations", [
      { operation: "create_note", arguments: { title: "Plans", body: "Beans" } },
      { operation: "search", arguments: { query: "Beans" }, says: /Plans/ },
    ]),
  },
  tools: { companions: ["tool-think"], check: think },
  approvals: { companions: ["endpoint-approvals"], check: answers("/api/approvals") },
  conversations: { companions: ["endpoint-conversations"], check: converse },
  results: { companions: ["endpoint-results"], check: answers("/api/tool_result?resultId=none", 404) },
  runs: { companions: ["endpoint-runs"], check: answers("/api/runs") },
  models: { companions: ["endpoint-models"], check: answers("/api/models") },
  memory: {
    companions: ["tool-memory-operations", "endpoint-memories"],
    check: async (serving) => {
      const stored = { operation: "store_memory", arguments: { content: "Runners need shoes" } };
      const found = { operation: "search_memory", arguments: { query: "running shoe" }, says: /Runners/ };
      await calls("memory_operations", [stored, found])(serving);
      expect((await serving.ask("GET", "/api/memories?q=shoes")).body).to.include({ count: 1 });
    },
  },
  archive: {
    companions: ["endpoint-conversations"],
    check: async ({ ask }) => {
      const { body } = await ask<{ readonly id: string }>("POST", "/v1/conversations", { title: "Plans" });
      expect((await ask("DELETE", `/v1/conversations/${body.id}`)).status).to.equal(200);
    },
  },
  transfer: {
    companions: ["endpoint-conversations"],
    check: async ({ ask }) => {
      const { body } = await ask<{ readonly id: string }>("POST", "/v1/conversations", { title: "Plans" });
      const { body: pack } = await ask("GET", `/v1/conversations/${body.id}/export`);
      expect((await ask("POST", "/v1/conversations/import", pack)).body).to.nested.include({
        success: true,
        "conversation.title": "Plans",
      });
    },
  },
  changes: { check: answers("/api/runs/rev_none/changes", 404) },
  preferences: { companions: ["endpoint-preferences"], check: answers("/api/preferences") },
  downloads: { check: answers("/api/models/download") },
  prompts: { check: answers("/api/prompts/system/minimal") },
  topics: { check: keeps("/api/topics", "topics") },
  output: { companions: ["endpoint-chat", "provider-embedded"], check: refuseSchema },
  // A stream has no end: what it refuses shows that it is there.
  events: { check: answers("/api/events?kinds=nothing", 400) },
  schedules: { check: schedule },
  search: { check: answers("/api/search?q=tea") },
  instructions: { check: answers("/api/skills") },
  files: { companions: ["endpoint-conversations", "policy-authorization"], check: listFiles },
  folders: { check: keeps("/api/folders", "folders") },
  sandbox: {
    companions: ["tool-terminal-operations"],
    settings: { "sandbox.programs": "required" },
    // Without walls there would be the project's other files, too.
    check: calls("terminal_operations", [
      {
        operation: "run_command",
        arguments: { command: "ls -A ..", explanation: "Look around" },
        says: /^work\n/,
      },
    ]),
  },
  secrets: {
    companions: ["endpoint-preferences", "tool-image-generation"],
    settings: { "secrets.store": "file" },
    check: keepSecret,
  },
  isolation: {
    companions: ["tool-think"],
    settings: {
      plugins: [
        "@pergola/storage-memory",
        "@pergola/policy-authorization",
        "@pergola/endpoint-debug",
        { use: "@pergola/tool-think", isolation: "process" },
      ],
    },
    check: async (serving) => {
      expect(serving.plugins.find(({ id }) => id === "tool-think")).to.include({ tier: "isolated" });
      await think(serving);
    },
  },
};

/** The part of the host that it brings is seen at work. */
export const usePart: UseOf = async ({ id, provides: { parts: [part = ""] = [] } = {} }) => {
  const use = parts[part];
  if (use === undefined) throw new Error(`Say in use-part.ts what the part "${part}" of ${id} is seen by.`);
  return use;
};

import { expect } from "chai";
import { openChanges, writing, type ChangesScene } from "../support/changes-scene.ts";
import { ask } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Refusal {
  readonly error: {
    readonly message: string;
    readonly code: string;
    readonly param?: string;
    readonly details: { readonly faults: readonly { readonly param: string }[] };
  };
}

describe("requests with keys or values that a route does not know", () => {
  let scene: ChangesScene;
  before(async () => {
    scene = await openChanges();
  });
  after(() => scene.end());

  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await scene.host.json<Refusal>(method, path, body);
    const { error } = answer.body;
    return { status: answer.status, code: error?.code, param: error?.param, message: error?.message };
  };
  const id = "00000000-0000-4000-8000-000000000001";

  verifies("http:unknown-keys", "C11: a revert with a mistyped key reverts nothing", async () => {
    scene.put("a.txt", "before");
    const run = await scene.run([writing("a.txt", "after")]);
    const path = `/api/runs/${run}/revert`;
    expect(await send("POST", path, { preview: true })).to.deep.equal({
      status: 400,
      code: "invalid_value",
      param: "preview",
      message: "The body: preview is not known (known: paths, changeIds, includeAgents, partial, dryRun).",
    });
    expect(await send("POST", path, { dryrun: true })).to.deep.include({
      status: 400,
      message: 'The body: dryrun is not known (did you mean "dryRun"?).',
    });
    expect(await send("POST", `${path}?dryRun=true`, {})).to.deep.include({
      status: 400,
      message: "The query: dryRun is not known.",
    });
    expect(scene.read("a.txt")).to.equal("after");
    expect((await send("POST", path, { dry_run: true })).status).to.equal(200);
    expect(scene.read("a.txt")).to.equal("after");
    expect((await send("POST", path, { includeAgents: false })).status).to.equal(200);
    expect(scene.read("a.txt")).to.equal("before");
  });

  const strict: readonly [method: string, path: string, body: object | undefined, param: string][] = [
    ["POST", `/api/approvals/${id}`, { approve: true }, "approve"],
    ["POST", "/api/chat/tool-response", { toolCallId: "c", approvd: false, userResponse: "" }, "approvd"],
    ["DELETE", `/api/grants/${id}`, { dryRun: true }, "dryRun"],
    ["DELETE", `/api/grants/${id}?dryRun=true`, undefined, "dryRun"],
    ["PATCH", `/v1/conversations/${id}`, { titel: "x" }, "titel"],
    ["PATCH", `/v1/conversations/${id}`, { settings: { temprature: 1 } }, "settings.temprature"],
    ["DELETE", `/v1/conversations/${id}?keepFiles=true`, undefined, "keepFiles"],
    ["PATCH", `/api/memories/${id}`, { contents: "x" }, "contents"],
    ["PATCH", "/api/tools/think", { enabled: true, conversation: "c" }, "conversation"],
    ["DELETE", "/api/models/a/b?force=true", undefined, "force"],
    ["PATCH", `/api/folders/${id}`, { nam: "x" }, "nam"],
    ["DELETE", `/api/topics/${id}?deleteFile=true`, undefined, "deleteFile"],
  ];
  for (const [method, path, body, param] of strict)
    verifies("http:unknown-keys", `C11: ${method} ${path} refuses ${param}`, async () => {
      const refused = await send(method, path, body);
      expect(refused).to.deep.include({ status: 400, code: "invalid_value", param });
      expect(refused.message).to.include(`${param} is not known`);
    });

  verifies("http:unknown-keys", "C11: other routes ignore them", async () => {
    expect((await send("POST", "/v1/conversations", { titel: "x" })).status).to.equal(201);
    expect((await send("GET", "/v1/conversations?other=1")).status).to.equal(200);
    expect((await send("POST", "/api/chat/completions", ask("Hi", { other: 1 }))).status).to.not.equal(400);
  });

  verifies("http:unknown-keys", "C11: settings that are sent back as they were read are taken", async () => {
    interface Detail {
      readonly id: string;
      readonly settings: object;
    }
    const { body } = await scene.host.json<Detail>("POST", "/v1/conversations", {});
    const path = `/v1/conversations/${body.id}`;
    const read = (await scene.host.json<Detail>("GET", path)).body.settings;
    expect((await send("PATCH", path, { settings: read })).status).to.equal(200);
    expect((await scene.host.json<Detail>("GET", path)).body.settings).to.deep.equal(read);
  });

  verifies("http:unknown-keys", "C11: an unknown preference keeps its own code", async () => {
    expect(await send("PATCH", "/api/preferences", { "user.nam": "Ada" })).to.deep.include({
      status: 400,
      code: "unknown_preference",
    });
  });

  const chat = "/api/chat/completions";
  const messages = [{ role: "user", content: "Hi" }];
  const words: readonly [path: string, body: object, message: string][] = [
    [
      chat,
      { model: "default", mesages: messages },
      'messages is missing (there is "mesages", which is not known).',
    ],
    [chat, { model: 7, messages }, "model must be a string."],
    [chat, { model: "default", messages, max_tokens: 0 }, "max_tokens must be at least 1."],
    [chat, { model: "default", messages, max_tokens: 1.5 }, "max_tokens must be a whole number or null."],
    [chat, { model: "default", messages, stop: 5 }, "stop must be a string, an array or null."],
    ["/api/chat/autonomous", {}, "model is missing."],
    [
      "/v1/responses",
      { model: "default", input: "Hi", background: "yes" },
      "background must be true, false or null.",
    ],
    ["/v1/embeddings", { model: "embedded/minilm", input: [] }, "input must not be empty."],
  ];
  for (const [path, body, message] of words)
    verifies("http:own-words", `C24: ${path} ${JSON.stringify(body)}`, async () => {
      const refused = await send("POST", path, body);
      expect(refused.status).to.equal(400);
      expect(refused.message).to.equal(message);
      expect(refused.message).to.not.match(/must NOT|must match a schema|equal to constant|, \.|<=|>=/);
    });
});

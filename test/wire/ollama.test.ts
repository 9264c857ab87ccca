import { expect } from "chai";
import { gte } from "semver";
import type { JsonObject } from "@pergola/sdk";
import { chatReply, mockProviderServer, startTestHost } from "@pergola/sdk/testing";
import { addToken, fromElsewhere, openDoorStage } from "../boundary/door-scene.ts";
import { sentTurns } from "../support/chat.ts";
import { officialPlugins, type Stage } from "../support/host.ts";
import { freePort } from "../support/pergola.ts";
import { rawRequest } from "../support/raw-request.ts";
import { verifies } from "../support/verifies.ts";

interface Line {
  readonly message?: { readonly content: string; readonly tool_calls?: readonly object[] };
  readonly done?: boolean;
  readonly error?: string;
  readonly [key: string]: unknown;
}

const model = "custom/test";
const user = (content: string) => ({ role: "user", content });

describe("the door for clients of Ollama", () => {
  let stage: Stage;
  let ollamaPort = 0;

  before(async () => {
    ollamaPort = await freePort();
    stage = await openDoorStage({ settings: { "server.ollama_port": ollamaPort } });
  });
  after(() => stage.end());

  const at = (path: string): string => `http://127.0.0.1:${ollamaPort}${path}`;

  /** As programs send it: with any type, or none. */
  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(at(path), {
      method: "POST",
      headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  const linesOf = async (path: string, body: unknown): Promise<readonly Line[]> => {
    const answer = await post(path, body);
    expect(answer.headers.get("content-type")).to.equal("application/x-ndjson");
    return (await answer.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
  };

  const stored = async (): Promise<number> =>
    (await stage.host.json<{ count: number }>("GET", "/v1/conversations")).body.count;

  verifies("ollama:clients", "takes the calls of VS Code", async () => {
    const { version } = (await (await fetch(at("/api/version"))).json()) as { version: string };
    expect(gte(version, "0.6.4")).to.equal(true);
    const { models } = (await (await fetch(at("/api/tags"))).json()) as { models: { model: string }[] };
    expect(models.map((one) => one.model)).to.include(model);
    const shown = (await (await post("/api/show", { model })).json()) as Line & {
      capabilities: string[];
      model_info: Record<string, unknown>;
    };
    const { "general.architecture": family, "general.basename": name } = shown.model_info;
    expect([shown.capabilities.includes("tools"), name]).to.deep.equal([true, "test"]);
    expect(shown.model_info[`${String(family)}.context_length`]).to.equal(32_768);
    stage.provider.play(chatReply({ text: "Here." }));
    const chat = await post(
      "/v1/chat/completions",
      { model, messages: [user("Hi")], stream: true },
      {
        "Content-Type": "application/json",
      },
    );
    expect(await chat.text()).to.include('"content":"Here."');
  });

  verifies("ollama:clients", "takes the calls of Home Assistant, whose calls have no ids", async () => {
    const tool = (name: string) => ({
      type: "function",
      function: {
        name,
        description: name,
        parameters: { type: "object", properties: { name: { type: "string" } } },
      },
    });
    const before = await stored();
    const asked = {
      model,
      stream: true,
      think: false,
      keep_alive: "-1s",
      options: { num_ctx: 8192 },
      tools: [tool("HassTurnOn"), tool("HassTurnOff")],
    };
    stage.provider.play([
      chatReply({
        toolCalls: [
          { name: "HassTurnOn", arguments: { name: "lamp" } },
          { name: "HassTurnOff", arguments: { name: "fan" } },
        ],
      }),
      chatReply({ text: "Done." }),
    ]);
    const messages: object[] = [
      { role: "system", content: "You are a voice assistant." },
      user("Lamp on, fan off"),
    ];
    const first = await linesOf("/api/chat", { ...asked, messages });
    const calls = first.flatMap(({ message }) => message?.tool_calls ?? []);
    const called = calls.map((call) => ({ function: (call as { function: object }).function }));
    expect(called).to.deep.equal([
      { function: { name: "HassTurnOn", arguments: { name: "lamp" } } },
      { function: { name: "HassTurnOff", arguments: { name: "fan" } } },
    ]);
    expect(first.at(-1)).to.deep.include({ done: true, done_reason: "stop" });
    messages.push({ role: "assistant", content: "", tool_calls: called });
    messages.push({ role: "tool", content: '{"on":true}' }, { role: "tool", content: '{"off":true}' });
    const second = await linesOf("/api/chat", { ...asked, messages });
    expect(second.map(({ message }) => message?.content).join("")).to.equal("Done.");
    expect(sentTurns(stage).slice(-2)).to.deep.equal(['tool: {"on":true}', 'tool: {"off":true}']);
    expect(await stored(), "it goes with its answer").to.equal(before);
  });

  verifies("ollama:clients", "takes the calls of JetBrains AI Assistant", async () => {
    const head = await fetch(at("/"), { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).to.deep.equal([200, "text/plain; charset=utf-8"]);
    expect(await (await fetch(at("/"))).text()).to.equal("Ollama is running");
    expect((await fetch(at("/api/tags"))).status).to.equal(200);
    expect((await post("/api/show", { name: `${model}:latest` })).status).to.equal(200);
    stage.provider.play(chatReply({ text: "fun main() {}" }));
    const options = { temperature: 0.5, num_predict: -1 };
    const lines = await linesOf("/api/chat", {
      model: `${model}:latest`,
      messages: [user("Main?")],
      options,
    });
    expect(lines.map(({ message }) => message?.content).join("")).to.equal("fun main() {}");
  });

  verifies(
    "ollama:answers",
    "gives a browser its page, and everybody a header that it is Pergola",
    async () => {
      const page = await fetch(at("/"), { headers: { Accept: "text/html" } });
      expect(page.headers.get("content-type")).to.match(/^text\/html/);
      expect(page.headers.get("vary")).to.match(/\bAccept\b/);
      for (const path of ["/api/version", "/api/nothing", "/health"])
        expect((await fetch(at(path))).headers.get("x-pergola"), path).to.equal(
          stage.host.services.system.version,
        );
    },
  );

  verifies("ollama:answers", "loads and unloads at once", async () => {
    const count = stage.provider.requests.length;
    for (const [path, body, reason] of [
      ["/api/chat", { model }, "load"],
      ["/api/chat", { model, messages: [], keep_alive: 0 }, "unload"],
      ["/api/generate", { model, keep_alive: "0s" }, "unload"],
    ] as const) {
      const answer = (await (await post(path, body)).json()) as Line;
      expect(answer).to.include({ model, done: true, done_reason: reason });
    }
    expect(stage.provider.requests.length).to.equal(count);
    expect((await post("/api/chat", { model: "nobody" })).status).to.equal(404);
  });

  verifies("ollama:answers", "pings by a line without content", async () => {
    await stage.host.json("PATCH", "/api/preferences", { "stream.ping_seconds": 1 });
    stage.provider.play(chatReply([{ text: "Soon" }, { delayMs: 1500 }, { text: " done." }]));
    const lines = await linesOf("/api/chat", { model, messages: [user("Hi")] });
    await stage.host.json("PATCH", "/api/preferences", { "stream.ping_seconds": null });
    expect(lines[1]).to.deep.include({ message: { role: "assistant", content: "" }, done: false });
    expect(Object.keys(lines[1] ?? {})).to.have.members(["model", "created_at", "message", "done"]);
    expect(lines.at(-1)).to.include({ done: true });
  });

  verifies(
    "ollama:keep",
    "keeps a conversation where it should, and goes on with it by its history",
    async () => {
      const before = await stored();
      await stage.host.json("PATCH", "/api/preferences", { "ollama.keep": true });
      stage.provider.play(chatReply({ text: "Red." }));
      const messages = [user("Which colour?")];
      await linesOf("/api/chat", { model, messages });
      const history = [...messages, { role: "assistant", content: "Red." }, user("And now?")];
      const answer = await post("/api/chat", { model, messages: history, stream: false });
      await stage.host.json("PATCH", "/api/preferences", { "ollama.keep": null });
      expect(await stored()).to.equal(before + 1);
      const id = answer.headers.get("x-conversation-id") ?? "";
      const session = { "X-Session-Id": id };
      expect(
        (await post("/api/chat", { model, messages: [user("Last?")], stream: false }, session)).status,
      ).to.equal(200);
      expect(await stored(), "one that is named stays").to.equal(before + 1);
    },
  );

  verifies("ollama:refused", "tells what is wrong as a text", async () => {
    for (const [path, body, status, text] of [
      ["/api/chat", "{", 400, /JSON/],
      ["/api/chat", {}, 400, /model/],
      ["/api/chat", { model, messages: "hi" }, 400, /messages must/],
      ["/api/chat", { model, messages: [{ role: "robot", content: "" }] }, 400, /messages\[0\]\.role/],
      ["/api/chat", { model, messages: [{ role: "tool", content: "x" }] }, 400, /answers no call/],
      ["/api/chat", { model, messages: [{ ...user("x"), images: ["AAAA"] }] }, 400, /images\[0\]/],
      ["/api/chat", { model, messages: [user("x")], format: "yaml" }, 400, /format/],
      ["/api/chat", { model, messages: [user("x")], options: { temperature: 9 } }, 400, /temperature/],
      ["/api/generate", { model, prompt: 3 }, 400, /prompt/],
      ["/api/embed", { model, input: [1, 2] }, 400, /input/],
      ["/api/embeddings", { model: "nobody", prompt: "x" }, 404, /nobody/],
      ["/api/show", { model: "nobody" }, 404, /nobody/],
    ] as const) {
      const answer = await post(path, body);
      const { error } = (await answer.json()) as { error: string };
      expect([answer.status, text.test(error)], `${path} ${JSON.stringify(body)}: ${error}`).to.deep.equal([
        status,
        true,
      ]);
    }
    for (const name of ["pull", "push", "create", "copy", "blobs/x"])
      expect((await post(`/api/${name}`, { model })).status, name).to.equal(404);
  });

  verifies("ollama:refused", "takes bodies without a type from programs, and not from pages", async () => {
    stage.provider.play(chatReply({ text: "Hi." }));
    const body = { model, messages: [user("Hi")], stream: false };
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await post("/api/chat", body, form)).status).to.equal(200);
    expect((await post("/api/chat", body, { ...form, "Sec-Fetch-Site": "same-origin" })).status).to.equal(
      415,
    );
    expect((await post("/api/chat", body, { ...form, Origin: at("") })).status).to.equal(415);
    expect((await post("/api/chat", body, { ...form, Origin: stage.host.url })).status).to.equal(403);
  });

  verifies(
    "ollama:refused",
    "lets in on its port whom the service lets in, and asks others for a token",
    async () => {
      const { secret } = await addToken(stage.host, "assistant", { scopes: ["read"] });
      const host = { ...stage.host, url: at("") };
      const elsewhere = (path: string, more: object = {}) => fromElsewhere<Line>(host, path, more);
      const refused = await elsewhere("/api/tags");
      expect(refused.status).to.equal(401);
      expect((await elsewhere("/api/tags", { token: secret })).status).to.equal(200);
      const body = { model, messages: [user("Hi")] };
      expect((await elsewhere("/api/chat", { token: secret, method: "POST", body })).status).to.equal(403);
      const request = (headers: string) =>
        rawRequest(at(""), `GET /api/tags HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
      expect((await request("Host: evil.example")).status).to.equal(403);
      expect((await request(`Host: localhost:${ollamaPort}`)).status).to.equal(200);
    },
  );

  verifies("ollama:refused", "is no provider to itself, and no model server to another Pergola", async () => {
    const port = await freePort();
    const other = await mockProviderServer(chatReply({ text: "Hello." }));
    const own = `http://127.0.0.1:${port}/v1`;
    const host = await startTestHost({
      plugins: officialPlugins(),
      settings: {
        storage: { type: "memory" },
        "server.ollama_port": port,
        "providers.list": [
          { type: "ollama", base_url: own },
          { type: "custom", base_url: other.baseUrl },
        ],
        "providers.local_servers": { ollama: at("/v1"), lmstudio: own },
      },
    });
    try {
      const { models } = (await host.json<{ models: { name: string }[] }>("GET", "/api/tags")).body;
      expect(models.map(({ name }) => name)).to.deep.equal([model]);
      const { providers } = (
        await host.json<{ providers: { type: string; lastError: string }[] }>("GET", "/api/providers")
      ).body;
      expect(providers.find(({ type }) => type === "ollama")?.lastError).to.include("provider to itself");
      const { servers } = (await host.json<{ servers: object[] }>("POST", "/api/providers/detect")).body;
      expect(servers).to.deep.equal([]);
    } finally {
      await host.stop();
      await other.close();
    }
  });

  verifies(
    "ollama:alone",
    "answers all of its paths where the page and the embeddings are left out",
    async () => {
      const ways: readonly JsonObject[] = [
        { disabled: ["endpoint-web", "endpoint-embeddings"] },
        { "endpoints.web.enabled": false, "endpoints.embeddings.enabled": false },
      ];
      for (const missing of ways) {
        const host = await startTestHost({
          plugins: officialPlugins(["bundle-standard", "provider-scripted"]),
          settings: { storage: { type: "memory" }, ...missing },
        });
        try {
          const line = await fetch(host.url, { headers: { Accept: "text/html" } });
          expect(await line.text()).to.equal("Ollama is running");
          const body = { model: "embedded/minilm:latest", prompt: "a hut" };
          const older = await host.json<{ embedding: number[] }>("POST", "/api/embeddings", body);
          expect(older.body.embedding).to.have.lengthOf(384);
          const wrong = await host.json("POST", "/api/embeddings", { model: "nobody", input: "x" });
          expect([wrong.status, Object.keys(wrong.body)]).to.deep.equal([400, ["error"]]);
          expect((await host.json("POST", "/v1/embeddings", { ...body, input: "x" })).status).to.equal(404);
        } finally {
          await host.stop();
        }
      }
    },
  );

  verifies("ollama:refused", "is gone with its group, and so is the prompt of /api/embeddings", async () => {
    await stage.host.json("PATCH", "/api/preferences", { "endpoints.ollama.enabled": false });
    const statuses = [
      (await fetch(at("/api/version"))).status,
      (await post("/api/embeddings", { model, prompt: "x" })).status,
      (await fetch(at("/"))).headers.get("content-type")?.split(";")[0],
    ];
    await stage.host.json("PATCH", "/api/preferences", { "endpoints.ollama.enabled": null });
    expect(statuses).to.deep.equal([404, 400, "text/html"]);
  });
});

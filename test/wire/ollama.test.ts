import { expect } from "chai";
import { gte } from "semver";
import { chatReply } from "@pergola/sdk/testing";
import { sentTurns } from "../support/chat.ts";
import { openOllamaStage, type Line, type OllamaStage } from "../support/ollama-stage.ts";
import { verifies } from "../support/verifies.ts";

const model = "custom/test";
const user = (content: string) => ({ role: "user", content });

describe("the door for clients of Ollama", () => {
  let stage: OllamaStage;
  before(async () => {
    stage = await openOllamaStage();
  });
  after(() => stage.end());

  verifies("ollama:clients", "takes the calls of VS Code", async () => {
    const { version } = (await (await fetch(stage.at("/api/version"))).json()) as { version: string };
    expect(gte(version, "0.6.4")).to.equal(true);
    const { models } = (await (await fetch(stage.at("/api/tags"))).json()) as { models: { model: string }[] };
    expect(models.map((one) => one.model)).to.include(model);
    const shown = (await (await stage.post("/api/show", { model })).json()) as Line & {
      capabilities: string[];
      model_info: Record<string, unknown>;
    };
    const { "general.architecture": family, "general.basename": name } = shown.model_info;
    expect([shown.capabilities.includes("tools"), name]).to.deep.equal([true, "test"]);
    expect(shown.model_info[`${String(family)}.context_length`]).to.equal(32_768);
    stage.provider.play(chatReply({ text: "Here." }));
    const chat = await stage.post(
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
    const before = await stage.stored();
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
    const first = await stage.linesOf("/api/chat", { ...asked, messages });
    const calls = first.flatMap(({ message }) => message?.tool_calls ?? []);
    const called = calls.map((call) => ({ function: (call as { function: object }).function }));
    expect(called).to.deep.equal([
      { function: { name: "HassTurnOn", arguments: { name: "lamp" } } },
      { function: { name: "HassTurnOff", arguments: { name: "fan" } } },
    ]);
    expect(first.at(-1)).to.deep.include({ done: true, done_reason: "stop" });
    messages.push({ role: "assistant", content: "", tool_calls: called });
    messages.push({ role: "tool", content: '{"on":true}' }, { role: "tool", content: '{"off":true}' });
    const second = await stage.linesOf("/api/chat", { ...asked, messages });
    expect(second.map(({ message }) => message?.content).join("")).to.equal("Done.");
    expect(sentTurns(stage).slice(-2)).to.deep.equal(['tool: {"on":true}', 'tool: {"off":true}']);
    expect(await stage.stored(), "it goes with its answer").to.equal(before);
  });

  verifies("ollama:clients", "takes the calls of JetBrains AI Assistant", async () => {
    const head = await fetch(stage.at("/"), { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).to.deep.equal([200, "text/plain; charset=utf-8"]);
    expect(await (await fetch(stage.at("/"))).text()).to.equal("Ollama is running");
    expect((await fetch(stage.at("/api/tags"))).status).to.equal(200);
    expect((await stage.post("/api/show", { name: `${model}:latest` })).status).to.equal(200);
    stage.provider.play(chatReply({ text: "fun main() {}" }));
    const options = { temperature: 0.5, num_predict: -1 };
    const lines = await stage.linesOf("/api/chat", {
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
      const page = await fetch(stage.at("/"), { headers: { Accept: "text/html" } });
      expect(page.headers.get("content-type")).to.match(/^text\/html/);
      expect(page.headers.get("vary")).to.match(/\bAccept\b/);
      for (const path of ["/api/version", "/api/nothing", "/health"])
        expect((await fetch(stage.at(path))).headers.get("x-pergola"), path).to.equal(
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
      const answer = (await (await stage.post(path, body)).json()) as Line;
      expect(answer).to.include({ model, done: true, done_reason: reason });
    }
    expect(stage.provider.requests.length).to.equal(count);
    expect((await stage.post("/api/chat", { model: "nobody" })).status).to.equal(404);
  });

  verifies("ollama:answers", "pings by a line without content", async () => {
    await stage.host.json("PATCH", "/api/preferences", { "stream.ping_seconds": 1 });
    stage.provider.play(chatReply([{ text: "Soon" }, { delayMs: 1500 }, { text: " done." }]));
    const lines = await stage.linesOf("/api/chat", { model, messages: [user("Hi")] });
    await stage.host.json("PATCH", "/api/preferences", { "stream.ping_seconds": null });
    expect(lines[1]).to.deep.include({ message: { role: "assistant", content: "" }, done: false });
    expect(Object.keys(lines[1] ?? {})).to.have.members(["model", "created_at", "message", "done"]);
    expect(lines.at(-1)).to.include({ done: true });
  });

  verifies(
    "ollama:keep",
    "keeps a conversation where it should, and goes on with it by its history",
    async () => {
      const before = await stage.stored();
      await stage.host.json("PATCH", "/api/preferences", { "ollama.keep": true });
      stage.provider.play(chatReply({ text: "Red." }));
      const messages = [user("Which colour?")];
      await stage.linesOf("/api/chat", { model, messages });
      const history = [...messages, { role: "assistant", content: "Red." }, user("And now?")];
      const answer = await stage.post("/api/chat", { model, messages: history, stream: false });
      await stage.host.json("PATCH", "/api/preferences", { "ollama.keep": null });
      expect(await stage.stored()).to.equal(before + 1);
      const id = answer.headers.get("x-conversation-id") ?? "";
      const session = { "X-Session-Id": id };
      expect(
        (await stage.post("/api/chat", { model, messages: [user("Last?")], stream: false }, session)).status,
      ).to.equal(200);
      expect(await stage.stored(), "one that is named stays").to.equal(before + 1);
    },
  );
});

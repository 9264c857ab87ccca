import { readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Computer, Service } from "../client.ts";
import { clients } from "../clients/index.ts";
import { connectionOf } from "../connect.ts";

const service: Service = {
  url: "https://box.example:8443",
  model: "ollama/qwen3:8b",
  models: [{ id: "ollama/qwen3:8b" }],
  program: ["/usr/bin/node", "/opt/pergola/main.js"],
  isOnPath: false,
  options: [],
};
const token = { variable: "PERGOLA_AUTH_TOKEN" };
const linux: Computer = { platform: "linux", home: "/home/ada", environment: {} };

describe("the clients of pergola connect", () => {
  it("are all listed, by names that can be typed", () => {
    const folder = path.join(import.meta.dirname, "..", "clients");
    expect(clients.length).to.equal(readdirSync(folder).length - 1);
    expect(new Set(clients.map(({ name }) => name)).size).to.equal(clients.length);
    for (const { name } of clients) expect(name).to.match(/^[a-z][a-z-]*$/);
  });

  it("have their files where each platform has them", () => {
    const fileOn = (name: string, computer: Computer) => connectionOf(name, service, computer)?.file;
    const mac: Computer = { platform: "darwin", home: "/Users/ada", environment: {} };
    const windows: Computer = {
      platform: "win32",
      home: "C:\\Users\\ada",
      environment: { APPDATA: "C:\\Users\\ada\\AppData\\Roaming" },
    };
    expect(fileOn("zed", { ...linux, environment: { XDG_CONFIG_HOME: "/x" } })).to.equal(
      "/x/zed/settings.json",
    );
    expect(fileOn("zed", mac)).to.equal("/Users/ada/.config/zed/settings.json");
    expect(fileOn("zed", windows)).to.equal("C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json");
    expect(fileOn("vscode", linux)).to.equal("/home/ada/.config/Code/User/chatLanguageModels.json");
    expect(fileOn("claude-desktop", mac)).to.equal(
      "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json",
    );
    expect(fileOn("jetbrains", windows)).to.equal("C:\\Users\\ada\\.jetbrains\\acp.json");
    expect(fileOn("home-assistant", linux)).to.equal(null);
    const elsewhere = { CODEX_HOME: "/x/codex", CLAUDE_CONFIG_DIR: "/x/claude" };
    for (const [name, there, usual] of [
      ["codex", "/x/codex/config.toml", "/home/ada/.codex/config.toml"],
      ["claude-code", "/x/claude/settings.json", "/home/ada/.claude/settings.json"],
    ] as const) {
      expect(fileOn(name, { ...linux, environment: elsewhere })).to.equal(there);
      expect(fileOn(name, linux)).to.equal(usual);
    }
  });

  for (const { name } of clients)
    it(`${name} is told where its token is, and never holds one`, () => {
      const bare = connectionOf(name, service, linux);
      const guarded = connectionOf(name, { ...service, token }, linux);
      expect(bare?.text).not.to.include(token.variable);
      const isByCommand = ["zed", "jetbrains", "claude-desktop"].includes(name);
      const tells = isByCommand || `${guarded?.text}${guarded?.notes.join()}`.includes("oken");
      expect(tells || `${guarded?.text}`.includes(token.variable)).to.equal(true);
    });

  it("refer to a file with a token in their own ways", () => {
    const at = { ...service, token: { ...token, file: "/home/ada/my token" } };
    expect(connectionOf("claude-code", at, linux)?.text).to.include(`"cat '/home/ada/my token'"`);
    expect(connectionOf("opencode", at, linux)?.text).to.include('"{file:/home/ada/my token}"');
    expect(connectionOf("pi", at, linux)?.text).to.include(`"!cat '/home/ada/my token'"`);
    expect(connectionOf("copilot", at, linux)?.text).to.include("API_KEY_COMMAND='cat '");
  });

  it("keep a model's name whole in every format", () => {
    const odd = { ...service, model: 'a "b" $c \'d', models: [] };
    expect(connectionOf("codex", odd, linux)?.text).to.include('model = "a \\"b\\" $c \'d"');
    expect(connectionOf("cline", odd, linux)?.text).to.include(`--modelid 'a "b" $c '\\''d'`);
  });

  describe("with several models", () => {
    const facts = { contextTokens: 32_000, outputTokens: 4000, callsTools: true, seesPictures: true };
    const plain = { contextTokens: 4096, outputTokens: 4096, callsTools: false, seesPictures: false };
    const models = [
      { id: "a/large", facts },
      { id: "b/small", facts: plain },
    ];
    const several = { ...service, model: "a/large", models };
    const valuesFor = (name: string): unknown => {
      const { settings } = connectionOf(name, several, linux)!;
      return "values" in settings ? settings.values : undefined;
    };

    it("tell VS Code of each with its own limits, and leave room for a question", () => {
      const [{ models: told }] = valuesFor("vscode") as [{ models: object[] }];
      const url = "https://box.example:8443/v1/chat/completions";
      const [large, small] = ["a/large", "b/small"].map((id) => ({ id, name: id, url }));
      expect(told).to.deep.equal([
        { ...large, toolCalling: true, vision: true, maxInputTokens: 28_000, maxOutputTokens: 4000 },
        { ...small, toolCalling: false, vision: false, maxInputTokens: 2048, maxOutputTokens: 2048 },
      ]);
    });

    it("tell opencode, pi and Continue of each", () => {
      const { provider } = valuesFor("opencode") as { provider: { pergola: { models: object } } };
      expect(provider.pergola.models).to.deep.equal({
        "a/large": {
          name: "a/large",
          limit: { context: 32_000, output: 4000 },
          tool_call: true,
          attachment: true,
          modalities: { input: ["text", "image"], output: ["text"] },
        },
        "b/small": {
          name: "b/small",
          limit: { context: 4096, output: 4096 },
          tool_call: false,
          attachment: false,
          modalities: { input: ["text"], output: ["text"] },
        },
      });
      const { providers } = valuesFor("pi") as { providers: { pergola: { models: object[] } } };
      expect(providers.pergola.models).to.deep.equal([
        { id: "a/large", input: ["text", "image"], contextWindow: 32_000, maxTokens: 4000 },
        { id: "b/small", input: ["text"], contextWindow: 4096, maxTokens: 4096 },
      ]);
      const { models: told } = valuesFor("continue") as { models: Record<string, unknown>[] };
      expect(told.map(({ name, model, capabilities }) => [name, model, capabilities])).to.deep.equal([
        ["Pergola", "a/large", ["tool_use", "image_input"]],
        ["Pergola: b/small", "b/small", []],
      ]);
      expect(told[1]).to.deep.include({ defaultCompletionOptions: { contextLength: 4096, maxTokens: 4096 } });
    });

    it("tell Qwen Code of each, beside the person's own, and Copilot of the one that it begins with", () => {
      const { modelProviders } = valuesFor("qwen-code") as { modelProviders: { openai: object[] } };
      const url = { baseUrl: "https://box.example:8443/v1", envKey: "PERGOLA_KEY" };
      const limits = (contextWindowSize: number, max: number) => ({
        generationConfig: { contextWindowSize, samplingParams: { max_tokens: max } },
      });
      expect(modelProviders.openai).to.deep.equal([
        { id: "a/large", name: "a/large", ...url, ...limits(32_000, 4000) },
        { id: "b/small", name: "b/small", ...url, ...limits(4096, 4096) },
      ]);
      const { text } = connectionOf("copilot", several, linux)!;
      expect(text).to.include("MAX_PROMPT_TOKENS=28000 ").and.include("MAX_OUTPUT_TOKENS=4000 ");
      expect(connectionOf("copilot", service, linux)?.text).to.not.include("TOKENS");
    });

    it("tell Codex of the context of the one that it begins with", () => {
      const { text } = connectionOf("codex", several, linux)!;
      expect(text).to.include('model_provider = "pergola"\nmodel_context_window = 32000\n');
      expect(connectionOf("codex", service, linux)?.text).to.not.include("model_context_window");
    });

    it("tell of no limits that nobody knows", () => {
      for (const name of ["opencode", "pi", "continue"])
        expect(connectionOf(name, service, linux)?.text, name).to.not.match(
          /limit|contextWindow|contextLength/,
        );
    });
  });
});

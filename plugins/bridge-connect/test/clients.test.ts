import { readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Computer, Service } from "../client.ts";
import { clients } from "../clients/index.ts";
import { connectionOf } from "../connect.ts";

const service: Service = {
  url: "https://box.example:8443",
  model: "ollama/qwen3:8b",
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
  });

  it("keep a model's name whole in every format", () => {
    const odd = { ...service, model: 'a "b" $c \'d' };
    expect(connectionOf("codex", odd, linux)?.text).to.include('model = "a \\"b\\" $c \'d"');
    expect(connectionOf("cline", odd, linux)?.text).to.include(`--modelid 'a "b" $c '\\''d'`);
  });
});

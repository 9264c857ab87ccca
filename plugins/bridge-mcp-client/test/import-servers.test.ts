import { expect } from "chai";
import { importServers, limits } from "../import-servers.ts";

const around = { environment: { KEY: "the-key-itself", EMPTY: "" }, home: "/home/ada" };
const read = (servers: object) => importServers(JSON.stringify({ mcpServers: servers }), around);
const reasonFor = (server: unknown): string => read({ a: server as object }).leftOut[0]?.reason ?? "none";

describe("MCP servers of another program's file", () => {
  it("are read from the form of Claude, Cursor and LM Studio", () => {
    const { servers, leftOut } = read({
      "Brave-Search": {
        command: "npx",
        args: ["-y", "brave", "${userHome}/x"],
        env: { BRAVE: "${KEY}", LEVEL: "${EMPTY:-low}" },
        autoApprove: ["search"],
      },
      wiki: {
        type: "http",
        url: "https://wiki.example/mcp",
        headers: { Authorization: "Bearer ${env:KEY}" },
      },
      off: { command: "x", disabled: true },
    });
    expect(leftOut).to.deep.equal([]);
    expect(servers).to.deep.equal([
      {
        title: "Brave-Search",
        name: "brave_search",
        entry: {
          command: "npx",
          args: ["-y", "brave", "/home/ada/x"],
          env: { BRAVE: "the-key-itself", LEVEL: "low" },
        },
        ignored: ["autoApprove"],
      },
      {
        title: "wiki",
        name: "wiki",
        entry: { url: "https://wiki.example/mcp", headers: { Authorization: "Bearer the-key-itself" } },
        ignored: [],
      },
      { title: "off", name: "off", entry: { command: "x", enabled: false }, ignored: [] },
    ]);
  });

  it("are read from that of VS Code, with comments, and its questions are left out", () => {
    const text = `\ufeff// mine
      { "servers": { "gh": { "type": "stdio", "command": "gh-mcp", "env": { "T": "\${input:token}" } },
        "ok": { "command": "[{", }, }, "inputs": [] }`;
    const { servers, leftOut } = importServers(text, around);
    expect(servers.map(({ name }) => name)).to.deep.equal(["ok"]);
    expect(leftOut[0]?.reason).to.include("${input:token}");
  });

  it("get what the person answers for their inputs, secrets in env and headers alone", () => {
    const servers = {
      gh: {
        command: "gh",
        args: ["${input:team}"],
        env: { T: "${input:token}", K: "x${input:constructor}" },
      },
      bad: { command: "gh", args: ["${input:token}"] },
    };
    const inputs = [
      { id: "token", type: "promptString", description: "A\ntoken", password: true },
      { id: "team", type: "pickString", options: ["red", 1, "blue"], default: "red" },
    ];
    const text = JSON.stringify({ servers, inputs });
    const asked = importServers(text, around).leftOut;
    expect(asked.map(({ title, inputs: wanted }) => [title, wanted.map(({ id }) => id)])).to.deep.equal([
      ["gh", ["team", "token", "constructor"]],
      ["bad", ["token"]],
    ]);
    expect(asked[0]?.inputs).to.deep.equal([
      { id: "team", description: "team", isSecret: false, options: ["red", "blue"], default: "red" },
      { id: "token", description: "A token", isSecret: true, options: [], default: "" },
      { id: "constructor", description: "constructor", isSecret: true, options: [], default: "" },
    ]);
    const answers = new Map([
      ["team", { value: "blue", isSecret: false }],
      ["token", { value: "the-token", isSecret: true }],
      ["constructor", { value: "y", isSecret: true }],
    ]);
    const { servers: found, leftOut } = importServers(text, { ...around, inputs: answers });
    expect(found[0]?.entry).to.deep.equal({
      command: "gh",
      args: ["blue"],
      env: { T: "the-token", K: "xy" },
    });
    expect(leftOut.map(({ title, reason }) => [title, reason.includes("keeps no secret")])).to.deep.equal([
      ["bad", true],
    ]);
  });

  it("are left out where they cannot be what they were, each with its reason", () => {
    expect(reasonFor({ command: "x", args: ["--key", "${KEY}"] })).to.include("keeps no secret");
    expect(reasonFor({ command: "x", env: { A: "${MISSING}" } })).to.include("MISSING is not set");
    expect(reasonFor({ command: "x", cwd: "${workspaceFolder}" })).to.include("one project");
    expect(reasonFor({ type: "sse", url: "https://a.example" })).to.include("SSE");
    expect(reasonFor({ command: "x", url: "https://a.example" })).to.include("either");
    const twins = read({ "My Server": { command: "x" }, "my-server": { command: "y" } });
    expect([twins.servers.length, twins.leftOut[0]?.title]).to.deep.equal([1, "my-server"]);
    expect(read({ 日本: { command: "x" } }).leftOut[0]?.reason).to.include("letters");
  });

  it("that are hostile are left out, and nothing else comes of them", () => {
    for (const server of [null, [], "x", 1, {}, { command: ["x"] }, { command: "x", args: "y" }])
      expect(reasonFor(server)).not.to.equal("none");
    expect(reasonFor({ command: "x", args: [1] })).to.equal("args[0] is no text");
    expect(reasonFor({ command: "x", env: { A: null } })).to.equal("env.A is no text");
    expect(reasonFor({ command: "x", env: { "A=B\n": "c" } })).to.include("no variable");
    expect(reasonFor({ command: "x\u001b[2J" })).to.equal("command holds control characters");
    expect(reasonFor({ command: "x".repeat(limits.text + 1) })).to.equal("command is too long");
    const { servers } = importServers(
      '{"mcpServers": {"__proto__": {"command": "x"}, "a": {"__proto__": {"command": "y"}}}}',
      around,
    );
    expect(servers.map(({ name, entry }) => [name, entry])).to.deep.equal([["proto", { command: "x" }]]);
    expect(({} as { command?: unknown }).command).to.equal(undefined);
  });

  it("are none in a file that is deep, long or of another form", () => {
    const many = Object.fromEntries(Array.from({ length: limits.servers + 1 }, (_, at) => [`s${at}`, {}]));
    expect(() => read(many)).to.throw("more than");
    for (const text of ["[".repeat(500_000), `{"mcpServers":${'{"a":'.repeat(200_000)}`])
      expect(() => importServers(text, around)).to.throw("nested too deeply");
    for (const text of ["", "[]", "{", '{"mcpServers": []}', '{"other": {}}', '{"servers": 1}', "\0"])
      expect(() => importServers(text, around)).to.throw(/^It/);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { allChunks, chatReply, contentOf, streamLines } from "@pergola/sdk/testing";
import { approvePlugins } from "../../support/approve-plugins.ts";
import {
  commandOf,
  freePort,
  openProject,
  watchProgram,
  type Begin,
  type Program,
  type Project,
} from "../../support/pergola.ts";
import { writePlugin } from "../../support/plugins/write-plugin.ts";

describe("pergola start", function () {
  this.timeout(30_000);
  let project: Project;
  let port: number;
  beforeEach(async () => {
    project = await openProject();
    port = await freePort();
  });
  afterEach(() => project.close());

  const serve = async (how: Begin = {}): Promise<Program> => {
    const program = project.begin(["start", "--port", String(port)], how);
    await program.wrote("stop with Ctrl-C");
    return program;
  };
  const ask = async (): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/api/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "default", stream: true, messages: [{ role: "user", content: "Hi" }] }),
    });
  const linesOf = (text: string): readonly string[] => text.trimEnd().split("\n");

  for (const mode of ["build", "source"] as const)
    it(`serves, says where and with what, and ends with 0 at SIGTERM (${mode})`, async () => {
      const program = await serve({ mode });
      expect(program.stdout)
        .to.include(`http://127.0.0.1:${port}`)
        .and.include(project.data)
        .and.include("custom/test");
      expect(contentOf(await allChunks(await ask()))).to.equal("Hello.");
      expect(await program.end()).to.equal(0);
    });

  it("writes one JSON line with --json", async () => {
    const program = project.begin(["start", "--port", String(port), "--json"]);
    await program.wrote("leftOut");
    const { url, pid, data, leftOut } = JSON.parse(linesOf(program.stdout)[0] ?? "") as Record<
      string,
      unknown
    >;
    expect({ url, pid, data, leftOut }).to.deep.equal({
      url: `http://127.0.0.1:${port}`,
      pid: program.child.pid,
      data: project.data,
      leftOut: [],
    });
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    it(`ends open streams properly at ${signal}, within seconds`, async () => {
      project.model.play(chatReply([{ text: "I begin" }, { hang: true }]));
      const program = await serve();
      const answer = await ask();
      const lines: string[] = [];
      const begun = performance.now();
      for await (const line of streamLines(answer)) {
        lines.push(line);
        if (line.includes("I begin")) program.child.kill(signal);
      }
      expect(await program.ended).to.equal(0);
      expect(performance.now() - begun).to.be.below(8000);
      expect(lines.at(-1)).to.equal("[DONE]");
      expect(JSON.parse(lines.at(-2) ?? "")).to.have.nested.property("error.code", "shutting_down");
    });

  it("ends at once at the second signal", async () => {
    const code = `export default { stop() { process.stderr.write("stopping\\n"); return new Promise(() => {}); } };`;
    const slow = writePlugin(project.folder, { id: "policy-slow", kind: "policy", code });
    project.settings({ plugins: ["@pergola/bundle-standard", { use: slow, isolation: "trusted" }] });
    await approvePlugins(project.data, slow);
    const program = await serve();
    program.child.kill("SIGTERM");
    await program.wrote("stopping");
    const begun = performance.now();
    expect(await program.end("SIGINT")).to.equal(130);
    expect(performance.now() - begun).to.be.below(1000);
  });

  it("leaves a note for the other commands while it serves, for its user alone", async () => {
    const program = await serve();
    const file = path.join(project.data, "service.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).to.include({
      url: `http://127.0.0.1:${port}`,
      pid: program.child.pid,
    });
    await program.end();
    expect(existsSync(file)).to.equal(false);
  });

  it("S2: keeps the inspector closed, whoever sends the signal that opens it", async function () {
    if (process.platform === "win32") this.skip();
    const program = await serve();
    process.kill(program.child.pid ?? 0, "SIGUSR1");
    await sleep(1000);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).to.equal(200);
    expect(program.stderr).to.not.include("Debugger listening");
    expect(await program.end()).to.equal(0);
  });

  it("S8: refuses to start with auth.loopback: token while nothing checks tokens", async () => {
    project.settings({
      auth: { loopback: "token", token: { env: "T" } },
      disabled: ["policy-access"],
    });
    const { code, stderr } = await project.run(["start", "--port", String(port)], {
      environment: { T: "0123456789abcdef0123456789abcdef" },
    });
    expect(code, stderr).to.equal(2);
    expect(stderr).to.include("auth.loopback needs a plugin that checks tokens");
  });

  it("P1: a copy of the data does not lead to the service on the original", async () => {
    const program = await serve();
    const preferences = async (): Promise<string> =>
      (await fetch(`http://127.0.0.1:${port}/api/preferences`)).text();
    const before = await preferences();
    const copy = `${project.data}-copy`;
    cpSync(project.data, copy, { recursive: true });
    const words = ["settings", "set", "user.name", "Canary", "--data", copy];
    const changed = await project.run(words, { bare: true });
    expect(changed.code, changed.stderr).to.equal(0);
    expect(await preferences()).to.equal(before);
    const kept = await project.run(["settings", "list", "--data", copy], { bare: true });
    expect(kept.stdout).to.include("Canary");
    await program.end();
  });

  it("P2: a port that is named is the service's, or the command fails", async () => {
    const program = await serve();
    const list = (at: number) => project.run(["memory", "list", "--port", String(at)]);
    expect((await list(port)).code).to.equal(0);
    const other = await list(await freePort());
    expect(other.code).to.equal(2);
    expect(other.stderr).to.include(`runs at http://127.0.0.1:${port}, not at port`);
    await program.end();
  });

  it("says in one line that the port is taken, and ends with 3", async () => {
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    const { code, stderr } = await project.run(["start", "--port", String(port)]);
    other.close();
    expect(code).to.equal(3);
    expect(stderr).to.equal(
      `Port ${port} on 127.0.0.1 is taken by another program. Choose another one with --port.\n`,
    );
  });

  it("says that another host works on the same data, and how to go on, and ends with 3", async () => {
    const first = await serve();
    const { code, stderr } = await project.run(["start", "--port", String(await freePort())]);
    expect(code, stderr).to.equal(3);
    expect(stderr).to.include(`${project.data} is in use by another Pergola (process ${first.child.pid})`);
    expect(linesOf(stderr), stderr).to.have.length(2);
  });

  it("S13: sends nothing to another program at the port of the note, or of the settings", async () => {
    const seen: string[] = [];
    const stranger = createServer(({ url = "", headers }, answer) => {
      seen.push(`${url.replace(/=.*/, "")} ${headers.authorization ?? ""}`);
      answer.setHeader("content-type", "application/json");
      answer.end(JSON.stringify({ status: "ok", version: "1", uptime_seconds: 1, proof: "x" }));
    }).listen(port, "127.0.0.1");
    await once(stranger, "listening");
    mkdirSync(project.data);
    const note = { url: `http://127.0.0.1:${port}`, pid: process.pid, settings: project.settings() };
    writeFileSync(
      path.join(project.data, "service.json"),
      JSON.stringify({ ...note, data: realpathSync(project.data), instance: "i", secret: "s" }),
      { mode: 0o600 },
    );
    project.settings({ auth: { token: { env: "T" } }, server: { port } });
    const listed = await project.run(["memory", "list"], {
      environment: { T: "0123456789abcdef0123456789abcdef" },
    });
    stranger.close();
    expect(listed.code, listed.stderr).to.equal(0);
    expect(seen).to.deep.equal(["/health?challenge "]);
  });

  it("P13: shows where it serves before the first line of its log", async () => {
    const file = path.join(project.folder, "all.txt");
    const program = spawn("sh", ["-c", `exec "$@" > ${file} 2>&1`, "sh", ...commandOf("build"), "start"], {
      cwd: project.folder,
      env: { ...project.environment, PERGOLA_SERVER_PORT: String(port), PERGOLA_DATA: project.data },
    });
    const watched = watchProgram(program);
    const output = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
    while (!output().includes('"serving"')) await sleep(50);
    await watched.end();
    expect(output()).to.match(/^Pergola serves on /);
  });

  it("P14: says that the native module is for another Node, not that a lock is in the way", async () => {
    const patch = path.join(project.folder, "other-node.mjs");
    const failure = `Object.assign(new Error("compiled against a different Node.js version"), { code: "ERR_DLOPEN_FAILED" })`;
    writeFileSync(patch, `process.dlopen = () => { throw ${failure}; };`);
    const { code, stderr } = await project.run(["start", "--port", String(port)], {
      environment: { NODE_OPTIONS: `--import=file://${patch}` },
    });
    expect(code, stderr).to.equal(3);
    expect(stderr).to.include("npm rebuild better-sqlite3").and.include(process.version);
    expect(stderr).to.not.include("remove the file");
  });

  const faults: readonly (readonly [what: string, text: string, said: string])[] = [
    ["is no JSON", "{oops", "Expected property name"],
    [
      "holds an unknown key",
      `{ "server": { "prot": 1 } }`,
      `server.prot is not a preference. Did you mean "server.port"?`,
    ],
    ["holds a value of the wrong type", `{ "default_model": 3 }`, "default_model must be a string"],
    [
      "names a secret in plain text",
      `{ "providers": { "list": [{ "type": "custom", "api_key": "sk-12345678" }] } }`,
      "is a secret in plain text",
    ],
  ];
  for (const [what, text, said] of faults)
    it(`says what is wrong with a settings file that ${what}, and ends with 2`, async () => {
      writeFileSync(project.settings(), text);
      const { code, stderr } = await project.run(["start", "--port", String(port)]);
      expect(code).to.equal(2);
      expect(stderr).to.include(said);
      expect(linesOf(stderr)).to.have.length(2);
    });

  it("names every fault of the settings at once", async () => {
    writeFileSync(project.settings(), `{ "server": { "prot": 1 }, "default_model": 3 }`);
    const { stderr } = await project.run(["start"]);
    expect(linesOf(stderr)).to.have.length(3);
  });

  it("ends with 2 when the settings file is not there, or a flag is wrong", async () => {
    const [missing, flag] = await Promise.all([
      project.run(["start", "--settings", "none.json", "--data", project.data], { bare: true }),
      project.run(["start", "--port", "abc"], { bare: true }),
    ]);
    expect([missing.code, missing.stderr.includes("none.json: there is no such file")]).to.deep.equal([
      2,
      true,
    ]);
    expect([flag.code, flag.stderr.includes("It must be a whole number")]).to.deep.equal([2, true]);
  });
});

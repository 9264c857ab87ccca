import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { isAtItsAddress, readNote, type ServiceNote } from "../../core/cli/service-note.ts";
import { freePort, openProject, type Project } from "../support/pergola.ts";
import { goodToken } from "./support/token-settings.ts";

interface Stranger {
  readonly port: number;
  readonly url: string;
  /** Method, path without the challenge, and the credential of each request. */
  readonly seen: string[];
}

type Reply = (request: IncomingMessage) => Promise<{ status?: number; headers?: object; body: string }>;

const looksLikePergola: Reply = async () => ({
  body: JSON.stringify({ status: "ok", version: "1", uptime_seconds: 1, proof: "x" }),
});

describe("the command line, fooled", function () {
  this.timeout(120_000);
  let project: Project;
  const strangers: Server[] = [];
  before(async () => {
    project = await openProject();
  });
  afterEach(async () => {
    const closed = strangers.splice(0).map((server) => once(server.close(), "close"));
    await Promise.all(closed);
  });
  after(() => project.close());

  /** A program that listens where Pergola might, and notes what it is sent. */
  async function squat(reply: Reply, port = 0, host = "127.0.0.1"): Promise<Stranger> {
    const seen: string[] = [];
    const server = createServer((incoming, answer) => {
      const { method = "", url = "", headers } = incoming;
      const credential = headers.authorization ?? String(headers["x-api-key"] ?? "");
      seen.push(`${method} ${url.replace(/=.*/, "")} ${credential}`);
      incoming.resume();
      void reply(incoming).then(({ status = 200, headers = {}, body }) =>
        answer
          .writeHead(status, { "content-type": "application/json", connection: "close", ...headers })
          .end(body),
      );
    }).listen(port, host);
    strangers.push(server);
    await once(server, "listening");
    const bound = (server.address() as AddressInfo).port;
    return { port: bound, url: `http://127.0.0.1:${bound}`, seen };
  }

  /** A data directory with a note; the secret is one that nobody else knows. */
  function leaveNote(change: Partial<ServiceNote> = {}): { readonly data: string; readonly file: string } {
    const data = temporaryFolder();
    const note = {
      url: "http://127.0.0.1:9",
      pid: process.pid,
      settings: project.settings(),
      data: realpathSync(data),
      instance: "i",
      secret: "s",
      ...change,
    };
    const file = path.join(data, "service.json");
    writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
    return { data, file };
  }

  const listOn = (data: string, ...words: readonly string[]) =>
    project.run(["memory", "list", "--settings", project.settings(), "--data", data, ...words], {
      bare: true,
      environment: { PERGOLA_AUTH_TOKEN: goodToken },
    });

  it("X32 a squatter on the port of the note is asked who it is, and told nothing", async () => {
    const stranger = await squat(looksLikePergola);
    const { data } = leaveNote({ url: stranger.url });
    const { code, stderr } = await listOn(data);
    expect(code, stderr).to.equal(0);
    expect(stranger.seen).to.deep.equal(["GET /health?challenge "]);
  });

  it("X32 a squatter on the usual port is not spoken to; with --port beside --data it is refused", async () => {
    const stranger = await squat(looksLikePergola);
    project.settings({ server: { port: stranger.port } });
    const data = temporaryFolder();
    const { code, stderr } = await listOn(data);
    project.settings();
    expect(code, stderr).to.equal(0);
    const named = await listOn(data, "--port", String(stranger.port));
    expect(named.code, named.stderr).to.equal(2);
    expect(named.stderr).to.include("is not the service of").and.include("nothing was sent");
    expect(stranger.seen).to.deep.equal([]);
  });

  it("X32 a squatter that relays the challenge to the real service is told nothing", async () => {
    const port = await freePort();
    await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
    const note = readNote(project.data)!;
    expect(await isAtItsAddress(note)).to.equal(true);
    let relayed = "";
    const stranger = await squat(async ({ url = "" }) => {
      const answer = await fetch(note.url + url);
      return { body: (relayed = await answer.text()) };
    });
    expect(await isAtItsAddress({ ...note, url: stranger.url })).to.equal(false);
    expect(relayed, "the real service has answered the challenge").to.match(/"proof":"[\w-]{43}"/);
    expect(stranger.seen).to.deep.equal(["GET /health?challenge "]);
  });

  it("says of a service that is silent that it may be busy, not that it is another one", async () => {
    const stranger = await squat(() => new Promise(() => undefined));
    const { data } = leaveNote({ url: stranger.url });
    const { code, stderr } = await listOn(data, "--port", String(stranger.port));
    expect(code, stderr).to.equal(3);
    expect(stderr).to.match(/The service on this data \(process \d+\) has said nothing .*pergola logs/s);
    expect(stranger.seen).to.deep.equal(["GET /health?challenge "]);
  });

  it("X32 an answer that leads elsewhere is not followed with the challenge", async () => {
    const target = await squat(looksLikePergola);
    const stranger = await squat(async () => ({
      status: 307,
      headers: { location: `${target.url}/health` },
      body: "",
    }));
    const { data } = leaveNote({ url: stranger.url });
    expect(await isAtItsAddress(readNote(data)!)).to.equal(false);
    expect([stranger.seen.length, target.seen.length]).to.deep.equal([1, 0]);
  });

  describe("X33 a note that is not to be trusted", () => {
    let stranger: Stranger;
    beforeEach(async () => {
      stranger = await squat(looksLikePergola);
    });
    const refuses = (data: string): void => {
      expect(readNote(data)).to.equal(undefined);
      expect(stranger.seen).to.deep.equal([]);
    };

    it("X33 is read where nothing is wrong with it", () => {
      expect(readNote(leaveNote({ url: stranger.url }).data)).to.have.property("url", stranger.url);
    });

    it("X33 of a process that is dead", () => {
      const { pid } = spawnSync(process.execPath, ["-e", ""]);
      refuses(leaveNote({ url: stranger.url, pid }).data);
    });

    it("X33 of a process whose number another one has got: it proves nothing", async () => {
      const { data } = leaveNote({ url: stranger.url, pid: process.ppid });
      expect(await isAtItsAddress(readNote(data)!)).to.equal(false);
      expect(stranger.seen).to.deep.equal(["GET /health?challenge "]);
    });

    it("X33 that others can read", () => {
      const { data, file } = leaveNote({ url: stranger.url });
      for (const mode of [0o644, 0o640, 0o604]) {
        chmodSync(file, mode);
        refuses(data);
      }
    });

    it("X33 of another account", function () {
      if (process.getuid?.() !== 0) this.skip();
      const { data, file } = leaveNote({ url: stranger.url });
      chownSync(file, 65_534, 65_534);
      refuses(data);
    });

    it("X33 that is a link, or no file at all", () => {
      const { file } = leaveNote({ url: stranger.url });
      const data = temporaryFolder();
      symlinkSync(file, path.join(data, "service.json"));
      refuses(data);
      const other = temporaryFolder();
      mkdirSync(path.join(other, "service.json"));
      refuses(other);
    });

    it("X33 that is a pipe: it is not waited for", function () {
      if (process.platform === "win32") this.skip();
      const data = temporaryFolder();
      expect(spawnSync("mkfifo", ["-m", "600", path.join(data, "service.json")]).status).to.equal(0);
      refuses(data);
    });

    for (const url of [
      "http://192.0.2.7:8080",
      "http://localhost:8080",
      "https://127.0.0.1:8080",
      "http://127.0.0.1:8080@192.0.2.7",
      "http://127.0.0.1:8080/x",
      "http://0x7f000001:8080",
    ])
      it(`X33 with the foreign address ${url}`, () => {
        refuses(leaveNote({ url }).data);
      });
  });

  describe("X35 an address that is named", () => {
    const list = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
      project.run(["memory", "list", ...words], { bare: true, environment });
    const memories: Reply = async ({ url = "" }) => ({
      body: url.startsWith("/health")
        ? JSON.stringify({ status: "ok", version: "1", uptime_seconds: 1 })
        : JSON.stringify({ memories: [], count: 0 }),
    });
    const withToken = { PERGOLA_AUTH_TOKEN: goodToken };

    it("X35 --url is obeyed, with the token of the environment or of --token-file", async () => {
      const service = await squat(memories);
      const file = path.join(temporaryFolder(), "token");
      writeFileSync(file, `${goodToken}\n`, { mode: 0o600 });
      expect((await list(["--url", service.url], withToken)).code).to.equal(0);
      expect((await list(["--url", `${service.url}/`, "--token-file", file])).code).to.equal(0);
      expect(service.seen).to.have.length(2);
      for (const line of service.seen)
        expect(line).to.match(new RegExp(`^GET /api/memories.* Bearer ${goodToken}$`));
    });

    it("X35 --url http:// elsewhere is refused, and the token not sent, without --plain-http", async function () {
      const own = Object.values(networkInterfaces()).flatMap((list = []) => list);
      const outer = own.find(({ internal, family }) => !internal && family === "IPv4")?.address;
      if (outer === undefined) this.skip();
      const service = await squat(memories, 0, "0.0.0.0");
      const url = `http://${outer}:${service.port}`;
      const refused = await list(["--url", url], withToken);
      expect(refused.code).to.equal(2);
      expect(refused.stderr).to.include("--plain-http").and.not.include(goodToken);
      expect(service.seen).to.deep.equal([]);
      expect((await list(["--url", url, "--plain-http"], withToken)).code).to.equal(0);
      expect(service.seen).to.have.length(1);
    });

    it("X35 an answer that leads to another host is not followed: no token goes there", async () => {
      const target = await squat(memories);
      const location = `http://localhost:${target.port}/api/memories`;
      for (const status of [301, 302, 303, 307, 308]) {
        const service = await squat(async () => ({ status, headers: { location }, body: "" }));
        const { code, stderr } = await list(["--url", service.url], withToken);
        expect([status, code]).to.deep.equal([status, 2]);
        expect(stderr).to.include(location).and.include("not followed");
        expect(service.seen).to.have.length(1);
      }
      expect(target.seen).to.deep.equal([]);
    });

    it("X35 --port of another service is obeyed where no data is named, or fails", async () => {
      const service = await squat(memories);
      expect((await list(["--port", String(service.port)])).code).to.equal(0);
      expect(service.seen.at(-1)).to.match(/^GET \/api\/memories/);
      const other = await squat(async () => ({ body: "{}" }));
      const failed = await list(["--port", String(other.port)], withToken);
      expect(failed.code, failed.stdout).to.equal(2);
      expect(other.seen.filter((line) => !line.startsWith("GET /health"))).to.deep.equal([]);
      expect(other.seen.join()).to.not.include(goodToken);
    });

    it("X35 --url that is none, or holds a password, is refused", async () => {
      for (const url of ["box.lan:8080", "ftp://127.0.0.1", "http://me:secret@127.0.0.1:1"])
        expect((await list(["--url", url])).code, url).to.equal(2);
    });
  });
});

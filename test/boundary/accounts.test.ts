import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { promisify } from "node:util";
import { expect } from "chai";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { hasIPv6 } from "../support/has-ipv6.ts";
import { commandOf, freePort, openProject, watchProgram, type Project } from "../support/pergola.ts";
import { askAsNobody, asNobody, beginAsNobody, needsRoot } from "./support/other-account.ts";
import { withToken, goodToken } from "./support/token-settings.ts";

interface Operation {
  readonly security?: readonly unknown[];
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

describe("other accounts of this computer", function () {
  this.timeout(120_000);
  let project: Project;
  let port: number;
  let url: string;
  before(function () {
    needsRoot(this);
  });
  beforeEach(async () => {
    project = await openProject();
    port = await freePort();
    url = `http://127.0.0.1:${port}`;
  });
  afterEach(() => project.close());

  const serve = async (settings: Parameters<Project["settings"]>[0] = {}): Promise<void> => {
    project.settings(settings);
    await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
  };
  const disabledTools = async (): Promise<unknown> => {
    const answer = await fetch(`${url}/api/preferences`);
    const { preferences } = (await answer.json()) as { readonly preferences: Record<string, unknown> };
    return preferences["tools.disabled"];
  };
  const change = {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ "tools.disabled": [] }),
  };

  it("X28 other account calls every route: 401 each, and nothing changes", async () => {
    await serve();
    const state = async () => {
      const paths = ["/api/preferences", "/v1/conversations", "/api/tokens", "/api/folders", "/api/topics"];
      return Promise.all(paths.map(async (one) => (await fetch(url + one)).text()));
    };
    const before = await state();
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: Paths };
    const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod).map(([method, { security }]) => ({
        method,
        path,
        isOpen: security?.length === 0,
      })),
    );
    const closed = operations.filter(({ isOpen }) => !isOpen);
    expect(closed.length).to.be.greaterThan(50);
    const requests = closed.map(({ method, path }) => ({
      url: url + path.replaceAll(/\{\w+\}/g, "x"),
      init: {
        method: method.toUpperCase(),
        ...(method !== "get" && { headers: change.headers, body: change.body }),
      },
    }));
    const answers = await askAsNobody(requests);
    const notRefused = answers.flatMap(({ status }, index) =>
      status === 401 ? [] : [requests[index], status],
    );
    expect(notRefused).to.deep.equal([]);
    expect(answers[0]?.text).to.include("belongs to another account");
    expect(await state()).to.deep.equal(before);
  });

  it("X28 other account sends and closes at once, 200 times: it is never the owner", async () => {
    await serve();
    const before = await disabledTools();
    const lines = ["PATCH /api/preferences HTTP/1.1", "Host: localhost", "Content-Type: application/json"];
    const bytes = `${[...lines, `Content-Length: ${change.body.length}`].join("\r\n")}\r\n\r\n${change.body}`;
    const sent = await asNobody(`
      import { once } from "node:events";
      import { connect } from "node:net";
      let sent = 0;
      for (let turn = 0; turn < 200; turn += 1) {
        const socket = connect(${port}, "127.0.0.1");
        await once(socket, "connect");
        socket.write(${JSON.stringify(bytes)}, () => socket.destroy());
        await once(socket, "close");
        sent += 1;
      }
      process.stdout.write(String(sent));`);
    expect(sent).to.equal("200");
    expect(await disabledTools()).to.deep.equal(before);
    const own = await fetch(`${url}/api/preferences`, change);
    expect(own.status, "the same request of the owner").to.equal(200);
  });

  it("X29 other account with a valid token is that token's caller; without it, 401", async () => {
    await serve(withToken());
    const target = `${url}/api/models`;
    const [bare, wrong, right] = await askAsNobody([
      { url: target },
      { url: target, init: { headers: { authorization: `Bearer ${goodToken.slice(1)}` } } },
      { url: target, init: { headers: { authorization: `Bearer ${goodToken}` } } },
    ]);
    expect([bare?.status, wrong?.status, right?.status]).to.deep.equal([401, 401, 200]);
  });

  it("X29 other account may with a token what that may, and no more", async () => {
    await serve();
    const made = await project.run(["tokens", "add", "reader", "--scope", "read"]);
    const headers = { ...change.headers, authorization: `Bearer ${made.stdout.trim()}` };
    const before = await disabledTools();
    const [models, changed, written] = await askAsNobody([
      { url: `${url}/api/models`, init: { headers } },
      { url: `${url}/api/preferences`, init: { ...change, headers } },
      { url: `${url}/v1/conversations`, init: { method: "POST", headers, body: '{"title":"x29"}' } },
    ]);
    expect([models?.status, changed?.status, written?.status]).to.deep.equal([200, 403, 403]);
    for (const refused of [changed, written]) expect(refused?.text).to.include("insufficient_scope");
    expect(await disabledTools()).to.deep.equal(before);
    expect(await (await fetch(`${url}/v1/conversations`)).text()).not.to.include("x29");
  });

  it("X29 a proxy of another account that adds no header is not the owner", async () => {
    await serve();
    const relayPort = await freePort();
    const relay = beginAsNobody(`
      import { connect, createServer } from "node:net";
      createServer((near) => {
        const far = connect(${port}, "127.0.0.1");
        near.pipe(far).pipe(near);
        for (const socket of [near, far]) socket.on("error", () => socket.destroy());
      }).listen(${relayPort}, "127.0.0.1", () => process.stdout.write("listening"));`);
    await relay.wrote("listening");
    const through = `http://127.0.0.1:${relayPort}`;
    expect((await fetch(`${through}/health`)).status, "the way leads to the service").to.equal(200);
    expect((await fetch(`${through}/api/models`)).status).to.equal(401);
    expect((await fetch(`${through}/api/preferences`, change)).status).to.equal(401);
    expect((await fetch(`${url}/api/models`)).status).to.equal(200);
    await relay.end();
  });

  it("X30 auth.loopback token: a request without one is refused; the command line works with no setting", async () => {
    await serve({ ...withToken(), "auth.loopback": "token" });
    expect((await fetch(`${url}/api/models`)).status).to.equal(401);
    const authorization = `Bearer ${goodToken}`;
    expect((await fetch(`${url}/api/models`, { headers: { authorization } })).status).to.equal(200);
    const set = await project.run(["settings", "set", "workflow.max_iterations", "7"]);
    expect(set.code, set.stderr).to.equal(0);
    const answer = await fetch(`${url}/api/preferences`, { headers: { authorization } });
    const { preferences } = (await answer.json()) as { readonly preferences: Record<string, unknown> };
    expect(preferences["workflow.max_iterations"]).to.equal(7);
    const sources = await project.run(["doctor"]);
    expect(sources.stdout).to.include(`in use by the service at ${url} (process `);
  });

  for (const key of ["server.allow_remote", "auth.loopback"]) {
    const settings = { disabled: ["policy-access"], [key]: key === "auth.loopback" ? "token" : true };

    it(`X31 ${key} while policy-access is disabled: start refused, and what to do`, async () => {
      project.settings(settings);
      const { code, stderr } = await project.run(["start", "--port", String(port)]);
      expect(code, stderr).to.equal(2);
      expect(stderr).to.include(key).and.include("policy-access is disabled");
      expect(await isOpen(port)).to.equal(false);
    });

    it(`X31 ${key} while the plugin that checks tokens was left out: start refused with its fault`, async () => {
      const folder = writePlugin(project.folder, {
        id: "policy-other",
        kind: "policy",
        provides: { hooks: ["authenticate"] },
      });
      const other = { use: folder, isolation: "trusted" };
      project.settings({ ...settings, plugins: ["@pergola/bundle-standard", other] });
      const { code, stderr } = await project.run(["start", "--port", String(port)]);
      expect(code, stderr).to.equal(2);
      expect(stderr).to.match(new RegExp(`${key} needs .*policy-other was left out: `));
      expect(await isOpen(port)).to.equal(false);
    });
  }

  it("X31 auth.loopback same-user where the system does not tell accounts: start refused with the remedy", async function () {
    const found = await promisify(execFile)("unshare", ["--mount", "true"]).then(
      () => true,
      () => false,
    );
    if (!found) this.skip();
    project.settings({ "auth.loopback": "same-user" });
    const words = [...commandOf("build"), "start", "--settings", project.settings(), "--data", project.data];
    const hidden = `mount -t tmpfs none /proc/$$/net && exec "$@"`;
    const child = spawn("unshare", ["--mount", "sh", "-c", hidden, "sh", ...words], {
      cwd: project.folder,
      env: { ...project.environment, PERGOLA_AUTH_LOOPBACK: "same-user", PERGOLA_SERVER_PORT: String(port) },
    });
    const program = watchProgram(child);
    expect(await program.ended, program.stderr).to.equal(2);
    expect(program.stderr).to.include("auth.loopback: same-user does not work here");
    expect(await isOpen(port)).to.equal(false);
  });

  it("X31 [::1]:port held by another account: said, and its page is no own origin", async function () {
    if (!hasIPv6()) this.skip();
    const stranger = beginAsNobody(`
      import { createServer } from "node:http";
      createServer((request, answer) => answer.end("stranger"))
        .listen(${port}, "::1", () => process.stdout.write("listening"));`);
    await stranger.wrote("listening");
    const program = project.begin(["start", "--port", String(port)]);
    await program.wrote("stop with Ctrl-C");
    await program.wrote(`Another program listens on [::1]:${port}`);
    for (const name of ["localhost", "[::1]"]) {
      const answer = await fetch(`${url}/api/models`, { headers: { origin: `http://${name}:${port}` } });
      expect([name, answer.status]).to.deep.equal([name, 403]);
    }
    const own = await fetch(`${url}/api/models`, { headers: { origin: url } });
    expect(own.status).to.equal(200);
    await stranger.end();
  });
});

/** Whether anything listens at a port. */
async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const answer = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return answer;
}

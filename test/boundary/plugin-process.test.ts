import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import path from "node:path";
import { statfsSync } from "node:fs";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { descendants } from "../support/descendants.ts";
import { escapeStage, type EscapeStage } from "./support/escape-stage.ts";
import { needsPrograms } from "./support/needs-programs.ts";

const megabyte = 2 ** 20;
const refusals = new Set(["ENOENT", "EROFS", "EPERM", "EACCES", "ERR_ACCESS_DENIED", "ERR_DLOPEN_DISABLED"]);
const notRefused = (outcomes: readonly string[]): readonly string[] =>
  outcomes.filter((outcome) => !refusals.has(outcome));

/** Kilobytes that a process and all below it hold. */
const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

/** Counts who comes; nobody should. */
async function canary(): Promise<{ readonly port: number; readonly count: () => number; close(): void }> {
  let count = 0;
  const server: Server = createServer((socket) => {
    count += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  const datagrams: Socket = createSocket("udp4", () => (count += 1)).bind(port, "127.0.0.1");
  await once(datagrams, "listening");
  const close = (): void => {
    server.close();
    datagrams.close();
  };
  return { port, count: () => count, close };
}

const connects = async (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
      .once("connect", () => resolve(true))
      .once("error", () => resolve(false));
    socket.unref();
  });

for (const user of ["root", "ordinary"] as const)
  describe(`an isolated plugin that wants out, the service run by ${user === "root" ? "root" : "an ordinary user"}`, function () {
    this.timeout(120_000);
    let stage: EscapeStage;
    let mark: string;
    /** The process of the service itself. */
    const host = (): number =>
      descendants(process.pid).find((pid) =>
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(
          `core/dist/main.cjs\0start\0--port\0${stage.port}`,
        ),
      ) ?? 0;
    before(async function () {
      needsPrograms.call(this, ["bwrap", "setpriv"]);
      stage = await escapeStage({ user });
    });
    after(() => stage?.stop());
    beforeEach(() => {
      mark = path.join(temporaryFolder(), "mark");
    });

    it(`X01 (${user}) a thread without Node's permissions writes a file`, async () => {
      const outcomes = await stage.attempt<readonly string[]>("worker", { mark });
      expect(outcomes).to.have.length(3);
      expect(notRefused(outcomes)).to.deep.equal([]);
      expect(existsSync(mark)).to.equal(false);
      expect(existsSync(path.join(stage.plugin, "mark"))).to.equal(false);
    });

    it(`X02 (${user}) starts a shell or a second Node`, async () => {
      const outcomes = await stage.attempt<readonly string[]>("start", { mark });
      expect(outcomes).to.have.length(7);
      expect(notRefused(outcomes.filter((outcome) => outcome !== "absent"))).to.deep.equal([]);
      expect(existsSync(mark)).to.equal(false);
    });

    it(`X03 (${user}) reads the store, keys, accounts and other processes`, async () => {
      const { data, home, plugin } = stage;
      const files = [
        ...["pergola.db", "service.json", "plugins/lock.json", "sandbox/plugin.bpf"].map((name) =>
          path.join(data, name),
        ),
        ...[
          path.join(home, "settings.json"),
          path.join(home, ".ssh/id_ed25519"),
          path.join(plugin, "plugin.json"),
        ],
        ...[
          "/etc/shadow",
          "/etc/hostname",
          `/proc/${host()}/environ`,
          `/proc/${host()}/maps`,
          `/proc/${host()}/mem`,
        ],
      ];
      expect(files.filter((file) => existsSync(file)).length).to.be.at.least(8);
      const outcomes = await stage.attempt<readonly string[]>("read", { files });
      expect(outcomes).to.have.length(files.length * 2 + 4);
      expect(notRefused(outcomes)).to.deep.equal([]);
    });

    it(`X04 (${user}) signals to other processes, and the inspector that one would open`, async () => {
      const { seen, sent, inspector, own } = await stage.attempt<{
        readonly seen: readonly number[];
        readonly sent: readonly string[];
        readonly inspector: string;
        readonly own: number;
      }>("signals");
      expect(sent).to.have.length(2);
      expect(seen).to.include(own);
      // Its own threads answer too.
      expect(seen.filter((pid) => pid > 20)).to.deep.equal([]);
      expect(inspector).to.equal("EACCES");
      expect(await connects(9229)).to.equal(false);
      expect((await stage.request("GET", "/health")).status).to.equal(200);
    });

    it(`X05 (${user}) reaches the network, names and local sockets`, async () => {
      const watched = await canary();
      try {
        const sockets = [
          "/run/dbus/system_bus_socket",
          "/var/run/docker.sock",
          process.env["SSH_AUTH_SOCK"] ?? "/tmp/agent",
        ];
        const outcome = await stage.attempt<Readonly<Record<string, string | readonly string[]>>>("network", {
          port: watched.port,
          sockets,
        });
        const { fetched = [], connected, sockets: local, sent, names = [], listened } = outcome;
        expect([...(connected ?? []), ...(local ?? []), sent, listened]).to.deep.equal(
          Array(9).fill("EACCES"),
        );
        expect([...fetched, ...names].filter((each) => each.startsWith("DONE"))).to.deep.equal([]);
        expect(fetched).to.have.length(3);
        expect(watched.count()).to.equal(0);
        expect(await connects(watched.port)).to.equal(true);
      } finally {
        watched.close();
      }
    });

    it(`X06 (${user}) native code, internal bindings, WASI with the whole file system`, async () => {
      const { refused, wasi, visible } = await stage.attempt<Readonly<Record<string, readonly string[]>>>(
        "native",
        {
          addon: path.join(stage.plugin, "addon.node"),
        },
      );
      expect(existsSync(path.join(stage.plugin, "addon.node"))).to.equal(true);
      expect(refused).to.have.length(4);
      expect(notRefused(refused ?? [])).to.deep.equal([]);
      expect(wasi).to.have.length(4);
      expect((wasi ?? []).filter((each) => each.startsWith("DONE"))).to.deep.equal([]);
      const known = ["dev", "etc", "lib", "lib64", "node", "node_modules", "pergola", "plugin", "tmp", "usr"];
      expect((visible ?? []).filter((name) => !known.includes(name))).to.deep.equal([]);
    });

    it(`X07 (${user}) writes where it may not, and fills its scratch`, async () => {
      const before = statfsSync(temporaryFolder());
      const { refused, node, fill, one } = await stage.attempt<{
        readonly refused: readonly string[];
        readonly node: string;
        readonly fill: string;
        readonly one: string;
      }>("write");
      expect(notRefused([...refused, node])).to.deep.equal([]);
      expect(refused).to.have.length(7);
      expect(fill).to.equal("ENOSPC");
      expect(one).to.be.oneOf(["ENOSPC", "EFBIG"]);
      expect(await stage.failure("crowd")).to.match(/made more than 10000 files/);
      const after = statfsSync(temporaryFolder());
      expect((before.bavail - after.bavail) * after.bsize).to.be.below(64 * megabyte);
    });

    for (const kind of ["buffer", "shared", "wasm", "heap"])
      it(`X08 (${user}) two gigabytes as ${kind}`, async () => {
        await stage.attempt("alive");
        const before = residentBytes(host());
        const failure = await stage.failure("hold", { kind });
        expect(failure).to.match(
          /allocation failed|could not allocate|ended while it worked: SIG(ABRT|TRAP|KILL)|did not stop in time/,
        );
        expect(residentBytes(host()) - before).to.be.below(10 * megabyte);
        expect(await stage.attempt("alive")).to.equal("alive");
      });

    it(`X16 (${user}) opens a setting of the kernel for writing`, async () => {
      const before = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
      expect(notRefused([await stage.attempt<string>("kernel")])).to.deep.equal([]);
      expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).to.equal(before);
    });
  });

describe("what a service inherits and hands on", function () {
  this.timeout(60_000);
  let stage: EscapeStage;
  before(function () {
    needsPrograms.call(this, ["bwrap"]);
  });
  after(() => stage?.stop());

  before(async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "below"));
    writeFileSync(path.join(folder, "secret"), "canary");
    const settings = { "tools.disabled": [], "sandbox.programs": "required" };
    stage = await escapeStage({ by: `exec 200<${folder}; exec "$@"`, settings });
  });

  it("X15 a folder that the service was started with is not open within the walls", async () => {
    const { open } = await stage.attempt<{ readonly open: readonly string[] }>("descriptors");
    expect(open).to.deep.equal([]);
  });

  it("X15 nor on a terminal of its own", async () => {
    const terminal = (operation: string, args: object) =>
      stage.call(`terminal_operations.${operation}`, args);
    const opened = await terminal("create_session", {});
    expect(opened.success, opened.result).to.equal(true);
    const { session_id } = JSON.parse(opened.result) as { readonly session_id: string };
    const input =
      '[ -t 0 ] && echo "on a $((1))terminal"; cat /proc/self/fd/200/secret; for fd in /proc/self/fd/*; do [ -d "$fd" ] && echo "folder ${fd##*/}"; done; ' +
      "echo over-$((40 + 2))";
    await terminal("send_input", { session_id, input });
    let output = "";
    for (let time = 0; time < 50 && !output.includes("over-42"); time++)
      output += (await terminal("get_output", { session_id })).result;
    await terminal("close_session", { session_id });
    expect(output).to.include("on a 1terminal").and.include("over-42").and.not.include("canary");
    expect(output).to.not.match(/folder \d/);
  });
});

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { expect } from "chai";
import { nodeRuntime } from "@pergola/kit-worker";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openSandbox } from "../../plugins/service-sandbox/sandbox.ts";
import { root } from "../architecture/tree.ts";
import { needsPrograms } from "./support/needs-programs.ts";

const attempts = path.join(root, "test/support/plugins/tool-escape-artist");
const megabyte = 2 ** 20;

/** The same attempts by a Node that permits everything: what is refused here, the walls refuse. */
describe("the walls without Node's permissions", function () {
  this.timeout(60_000);
  const sandbox = openSandbox({ dataDirectory: temporaryFolder(), preference: () => undefined });
  const folder = temporaryFolder();
  const mark = path.join(temporaryFolder(), "mark");

  before(async function () {
    needsPrograms.call(this, ["bwrap"]);
    const contents = `
      import * as programs from "./programs.ts"; import * as system from "./system.ts"; import * as network from "./network.ts";
      const [name, args] = process.argv.slice(2);
      console.log(JSON.stringify(await { ...programs, ...system, ...network }[name](JSON.parse(args))));
      process.exit();`;
    await build({
      stdin: { contents, resolveDir: attempts, loader: "ts" },
      outfile: path.join(folder, "escape.mjs"),
      bundle: true,
      format: "esm",
      platform: "node",
    });
  });

  async function attempt<T>(name: string, args: object = {}): Promise<T> {
    const { program, libraries, dataBytes } = await nodeRuntime();
    const line = await sandbox.wrap(
      {
        kind: "plugin",
        read: [{ from: program, to: "/node" }, ...libraries, { from: folder, to: "/plugin" }],
        write: [],
        keep: [],
        network: "none",
        limits: {
          dataBytes: dataBytes + 256 * megabyte,
          fileBytes: 16 * megabyte,
          scratchBytes: 16 * megabyte,
          processes: 1,
          files: 64,
        },
      },
      "/node",
      ["/plugin/escape.mjs", name, JSON.stringify(args)],
    );
    const { stdout, stderr } = spawnSync(line.program, line.args, {
      encoding: "utf8",
      env: { ...line.env },
      timeout: 30_000,
    });
    expect(stdout, stderr).to.not.equal("");
    return JSON.parse(stdout) as T;
  }
  /** Those that are refused by anything but the system. */
  const others = (outcomes: readonly string[]): readonly string[] =>
    outcomes.filter((outcome) => !["ENOENT", "EROFS", "EPERM", "EACCES", "absent"].includes(outcome));

  it("X01 X02 (walls) a thread writes nothing outside, and nothing is started", async () => {
    const worker = await attempt<readonly string[]>("worker", { mark });
    expect(others(worker)).to.deep.equal([]);
    const start = await attempt<readonly string[]>("start", { mark });
    expect(start).to.have.length(7);
    expect(others(start)).to.deep.equal([]);
    expect(existsSync(mark)).to.equal(false);
  });

  it("X03 X16 (walls) other files, other processes and the kernel's settings are not there", async () => {
    const files = ["/etc/shadow", "/root", "/home", "/etc/hostname", `/proc/${process.pid}/environ`, root];
    expect(others(await attempt<readonly string[]>("read", { files }))).to.deep.equal([]);
    expect(await attempt("kernel")).to.equal("ENOENT");
    expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).to.not.equal("");
  });

  it("X04 X05 (walls) no process but its own, no inspector, no network", async () => {
    const { seen, inspector } = await attempt<{
      readonly seen: readonly number[];
      readonly inspector: string;
    }>("signals");
    expect(seen.filter((pid) => pid > 20)).to.deep.equal([]);
    expect(inspector).to.equal("EACCES");
    const { connected, sent, listened } = await attempt<Readonly<Record<string, string | readonly string[]>>>(
      "network",
      { port: 9, sockets: ["/run/dbus/system_bus_socket"] },
    );
    expect([connected, sent, listened].flat()).to.deep.equal(Array(6).fill("EACCES"));
  });

  it("X06 X07 (walls) WASI sees the sandbox only, and nothing is writable but the scratch", async () => {
    const { wasi } = await attempt<{ readonly wasi: readonly string[] }>("native", { addon: "/none" });
    expect(wasi).to.deep.equal(Array(4).fill("WASI 44"));
    const { refused, node, fill } = await attempt<{
      readonly refused: readonly string[];
      readonly node: string;
      readonly fill: string;
    }>("write");
    expect(others([...refused, node])).to.deep.equal([]);
    expect(fill).to.equal("ENOSPC");
  });
});

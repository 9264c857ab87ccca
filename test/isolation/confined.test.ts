import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Plugin } from "@pergola/sdk";
import type { Sandbox } from "@pergola/sdk/host";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { openIsolated } from "../../plugins/service-isolation/open-isolated.ts";
import { openSandbox } from "../../plugins/service-sandbox/sandbox.ts";
import { readManifest } from "../../core/plugins/manifest.ts";
import { recordingLog } from "../support/recording-log.ts";
import { toolPlugin } from "../support/plugins/write-plugin.ts";
import { needsSandbox } from "../boundary/support/program-stage.ts";

const tried = `const tried = async (work) => { try { return String(await work()); } catch (error) { return error.code ?? error.message; } };
  const fs = await import("node:fs/promises"); const { execFileSync } = await import("node:child_process");`;

/** A system on which there are no walls. */
const noSandbox: Sandbox = {
  state: async () => ({ works: false, reason: "namespaces are forbidden", remedy: "Allow them." }),
  wrap: async () => Promise.reject(new Error("it was asked for walls")),
};

describe("what keeps a plugin's process in", function () {
  this.timeout(20_000);
  const opened: Plugin[] = [];
  afterEach(async () => {
    for (const plugin of opened.splice(0)) await plugin.stop?.({} as never);
  });

  const open = async (folder: string, sandbox: Sandbox, log = recordingLog()): Promise<Plugin> => {
    const plugin = await openIsolated(readManifest(folder), {
      log,
      sandbox,
      dataDirectory: temporaryFolder(),
      preference: () => false,
      deadline: 15_000,
      strike: () => undefined,
      verify: async () => undefined,
    });
    opened.push(plugin);
    return plugin;
  };
  const run = async (folder: string, sandbox: Sandbox): Promise<unknown> => {
    const plugin = await open(folder, sandbox);
    return (await plugin.tools![0]!.operations[0]!.run({} as never, toolContext())).data;
  };

  const sandboxes = {
    "within walls": openSandbox({ dataDirectory: temporaryFolder(), preference: () => undefined }),
    "without walls, by Node's permissions": noSandbox,
  };
  for (const [where, sandbox] of Object.entries(sandboxes))
    describe(where, () => {
      it("works", async () => {
        const body = "return { data: (await context.files.resolve('a')).place };";
        expect(await run(toolPlugin(temporaryFolder(), "tool-plain", body), sandbox)).to.equal("inside");
      });

      it("writes no files and starts no programs but through the door", async function () {
        needsSandbox.call(this);
        const parent = temporaryFolder();
        const body = `${tried} return { data: [
          await tried(() => fs.writeFile(${JSON.stringify(path.join(parent, "x"))}, "")),
          await tried(() => execFileSync("true")),
        ] };`;
        const written = sandbox === noSandbox ? "ERR_ACCESS_DENIED" : "ENOENT";
        expect(await run(toolPlugin(parent, "tool-sly", body), sandbox)).to.deep.equal([
          written,
          "ERR_ACCESS_DENIED",
        ]);
        expect(existsSync(path.join(parent, "x"))).to.equal(false);
      });

      it("S1: starts no thread, which would have all the rights that the process has not", async () => {
        const parent = temporaryFolder();
        const mark = path.join(parent, "mark");
        const code = `require("node:child_process").execFileSync("touch", [${JSON.stringify(mark)}]);`;
        const body = `${tried} const { Worker } = await import("node:worker_threads");
          return { data: await tried(() => new Promise((resolve, reject) => {
            const worker = new Worker(${JSON.stringify(code)}, { eval: true, execArgv: [] });
            worker.once("error", reject); worker.once("exit", resolve);
          })) };`;
        expect(await run(toolPlugin(parent, "tool-thread", body), sandbox)).to.equal("ERR_ACCESS_DENIED");
        expect(existsSync(mark)).to.equal(false);
      });

      it("S4: reads its own folder and its packages, and nothing else of the computer", async function () {
        needsSandbox.call(this);
        const parent = temporaryFolder();
        const secret = path.join(parent, "secret");
        writeFileSync(secret, "canary");
        const body = `${tried} const read = (file) => tried(() => fs.readFile(file, "utf8"));
          return { data: [
            await read(${JSON.stringify(secret)}),
            await read("/etc/shadow"),
            await read("/proc/" + process.ppid + "/environ"),
            await read("/proc/self/environ"),
            await tried(() => fs.readdir("/home")),
            (await read(new URL("plugin.json", import.meta.url))).slice(0, 1),
            (await import("helper")).helped,
          ] };`;
        const folder = toolPlugin(parent, "tool-reader", body, {
          package: { dependencies: { helper: "1" } },
        });
        const helper = path.join(parent, "elsewhere", "helper");
        mkdirSync(helper, { recursive: true });
        writeFileSync(path.join(helper, "package.json"), '{"type":"module","main":"main.js"}');
        writeFileSync(path.join(helper, "main.js"), "export const helped = 'linked';");
        mkdirSync(path.join(folder, "node_modules"));
        symlinkSync(helper, path.join(folder, "node_modules/helper"));
        const refused = sandbox === noSandbox ? "ERR_ACCESS_DENIED" : "ENOENT";
        expect(await run(folder, sandbox)).to.deep.equal([...Array<string>(5).fill(refused), "{", "linked"]);
      });

      it("S1: ends, or gets no more, when it holds too much memory", async function () {
        needsSandbox.call(this);
        const body = "const held = []; for (;;) held.push(Buffer.alloc(2 ** 24, 1));";
        const folder = toolPlugin(temporaryFolder(), "tool-full", body);
        const error = await run(folder, sandbox).catch((each: Error) => each);
        const reason = sandbox === noSandbox ? "SIGKILL" : "allocation failed";
        expect(error).to.have.property("message").that.includes(reason);
      });
    });

  it("says loudly that there are no walls", async () => {
    const log = recordingLog();
    await open(toolPlugin(temporaryFolder(), "tool-bare", "return { data: 1 };"), noSandbox, log);
    const warnings = log.lines.filter(({ level }) => level === "warn");
    expect(warnings.map(({ message, fields }) => [message, fields["reason"]])).to.deep.equal([
      ["tool-bare runs WITHOUT A SANDBOX", "namespaces are forbidden"],
    ]);
  });
});

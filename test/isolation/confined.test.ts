import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect } from "chai";
import type { Plugin } from "@pergola/sdk";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import type { FoundPlugin } from "../../core/plugins/discover.ts";
import { openIsolated } from "../../plugins/service-isolation/open-isolated.ts";
import { readManifest } from "../../core/plugins/manifest.ts";
import { recordingLog } from "../support/recording-log.ts";
import { toolPlugin } from "../support/plugins/write-plugin.ts";

const source = path.resolve(import.meta.dirname, "../../plugins/service-isolation/isolated.process.ts");

/** As it is installed, without a loader for source: Node's own permissions hold then. */
describe("the built form of a plugin's process", function () {
  this.timeout(20_000);
  const opened: Plugin[] = [];
  let program: URL;
  before(async () => {
    const outfile = path.join(temporaryFolder(), "isolated.process.mjs");
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      conditions: ["source"],
      format: "esm",
      platform: "node",
      target: "node20",
    });
    program = pathToFileURL(outfile);
  });
  afterEach(async () => {
    for (const plugin of opened.splice(0)) await plugin.stop?.({} as never);
  });

  const run = async (folder: string): Promise<unknown> => {
    const found: FoundPlugin = {
      ...readManifest(folder),
      folder,
      tier: "isolated",
      disabled: false,
      source: "folder",
    };
    const plugin = await openIsolated(found, {
      log: recordingLog(),
      deadline: 15_000,
      broken: () => undefined,
      program,
    });
    opened.push(plugin);
    return (await plugin.tools![0]!.operations[0]!.run({} as never, toolContext())).data;
  };
  const tried = `const tried = async (work) => { try { return String(await work()); } catch (error) { return error.code ?? error.message; } };
    const fs = await import("node:fs/promises"); const { execFileSync } = await import("node:child_process");`;

  it("works", async () => {
    expect(
      await run(
        toolPlugin(
          temporaryFolder(),
          "tool-plain",
          "await context.files.write('a', 'b'); return { data: await context.files.readText('a') };",
        ),
      ),
    ).to.equal("b");
  });

  it("writes no files and starts no programs but through the door", async () => {
    const parent = temporaryFolder();
    const body = `${tried} return { data: [
      await tried(() => fs.writeFile(${JSON.stringify(path.join(parent, "x"))}, "")),
      await tried(() => execFileSync("true")),
    ] };`;
    expect(await run(toolPlugin(parent, "tool-sly", body))).to.deep.equal(Array(2).fill("ERR_ACCESS_DENIED"));
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
    expect(await run(toolPlugin(parent, "tool-thread", body))).to.equal("ERR_ACCESS_DENIED");
    expect(existsSync(mark)).to.equal(false);
  });

  it("S4: reads its own folder and its packages, and nothing else of the computer", async () => {
    const parent = temporaryFolder();
    const secret = path.join(parent, "secret");
    writeFileSync(secret, "canary");
    const body = `${tried} const read = (file) => tried(() => fs.readFile(file, "utf8"));
    return { data: [
      await read(${JSON.stringify(secret)}),
      await read("/etc/passwd"),
      await read("/proc/" + process.ppid + "/environ"),
      await read("/proc/self/environ"),
      await tried(() => fs.readdir("/")),
      (await read(new URL("plugin.json", ${JSON.stringify(pathToFileURL(`${path.join(parent, "tool-reader")}/`).href)}))).slice(0, 1),
      (await import("helper")).helped,
    ] };`;
    const folder = toolPlugin(parent, "tool-reader", body, { package: { dependencies: { helper: "1" } } });
    const helper = path.join(parent, "elsewhere", "helper");
    mkdirSync(helper, { recursive: true });
    writeFileSync(path.join(helper, "package.json"), '{"type":"module","main":"main.js"}');
    writeFileSync(path.join(helper, "main.js"), "export const helped = 'linked';");
    mkdirSync(path.join(folder, "node_modules"));
    symlinkSync(helper, path.join(folder, "node_modules/helper"));
    expect(await run(folder)).to.deep.equal([...Array<string>(5).fill("ERR_ACCESS_DENIED"), "{", "linked"]);
  });

  it("S1: is ended by the host when it holds too much memory", async () => {
    const body = "const held = []; for (;;) held.push(Buffer.alloc(2 ** 24, 1));";
    const error = await run(toolPlugin(temporaryFolder(), "tool-full", body)).catch((each: Error) => each);
    expect(error).to.have.property("message").that.includes("SIGKILL");
  });
});

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
    const found: FoundPlugin = { ...readManifest(folder), folder, tier: "isolated", disabled: false };
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
});

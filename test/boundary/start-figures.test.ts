import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { changeLock } from "../../core/plugins/plugin-lock.ts";
import { pluginDigest } from "../../core/plugins/plugin-digest.ts";
import { commandOf, descendants } from "../support/descendants.ts";
import { addFigure } from "../support/figures.ts";
import { freePort, openProject, type Project } from "../support/pergola.ts";
import { toolPlugin } from "../support/plugins/write-plugin.ts";
import { needsPrograms } from "./support/needs-programs.ts";

const megabyte = 2 ** 20;

/** Bytes that a process holds for itself alone, and its share of what several hold. */
const shareOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) * 1024;

/** Milliseconds on a processor of a process and of the programs of it that have ended; Linux counts tens. */
const processorTimeOf = (pid: number): number =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/.*\) /, "")
    .split(" ")
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks) * 10, 0);

const rounds = 3;

describe("three isolated plugins", function () {
  this.timeout(120_000);
  let project: Project;
  before(async function () {
    needsPrograms.call(this, ["bwrap"]);
    project = await openProject();
  });
  after(() => project?.close());

  /** A service that serves; milliseconds to its first word, and on a processor until then. */
  async function started(plugins: readonly Json[]) {
    project.settings({
      plugins: ["@pergola/bundle-standard", ...plugins],
      "auth.loopback": "none",
      "memory.embedding_model": "",
    });
    const port = await freePort();
    const begun = performance.now();
    const program = project.begin(["start", "--port", String(port)]);
    await program.wrote("stop with Ctrl-C");
    const [time, processor] = [performance.now() - begun, processorTimeOf(program.child.pid!)];
    return { time, processor, program, url: `http://127.0.0.1:${port}` };
  }
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

  it("are started on first use, and add little to the start and to memory", async () => {
    const folder = temporaryFolder();
    const names = ["tool-one", "tool-two", "tool-three"];
    const folders = names.map((name) => toolPlugin(folder, name, "return { data: 1 };"));
    for (const [index, name] of names.entries()) {
      const files = await pluginDigest(folders[index]!);
      const current = {
        package: name,
        version: "1.2.3",
        integrity: null,
        files,
        permissions: {},
        tools: null,
        grantedAt: new Date().toISOString(),
      };
      changeLock(project.data, () => ({ [name]: { current } }));
    }
    // The first start asks what they bring; what counts are the later ones.
    const first = await started(folders);
    await first.program.end();
    const starts: Record<"bare" | "full", Awaited<ReturnType<typeof started>>[]> = { bare: [], full: [] };
    for (let round = 0; round < rounds; round++) {
      const bare = await started([]);
      starts.bare.push(bare);
      await bare.program.end();
      const full = await started(folders);
      starts.full.push(full);
      if (round === rounds - 1) await measure(full);
      await full.program.end();
    }
    const medians = (of: "time" | "processor"): readonly number[] =>
      [starts.bare, starts.full].map((each) => median(each.map(({ [of]: value }) => value)));
    const [bare = 0, full = 0] = medians("time");
    const [bareWork = 0, fullWork = 0] = medians("processor");
    addFigure("ms of a start more for three isolated plugins", Math.max(0, full - bare));
    process.stdout.write(
      `      start with three isolated plugins: ${Math.round(full - bare)} ms more (${Math.round(bare)} ` +
        `without), of these ${fullWork - bareWork} ms on a processor (${bareWork} without)\n`,
    );
    // On a processor: what else the machine does counts among the others.
    expect(fullWork - bareWork).to.be.below(250);
  });

  async function measure({ program, url }: Awaited<ReturnType<typeof started>>): Promise<void> {
    const inside = (): readonly number[] =>
      descendants(program.child.pid!).filter((pid) => commandOf(pid).startsWith("/node"));
    expect(inside()).to.deep.equal([]);
    for (const tool of ["tool_one.go", "tool_two.go", "tool_three.go"]) {
      const answer = await fetch(`${url}/debug/mcp/execute`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ tool, arguments: {} }),
      });
      expect(((await answer.json()) as { readonly success: boolean }).success).to.equal(true);
    }
    const bytes = inside().map(shareOf);
    addFigure("megabytes of an isolated plugin in use (PSS)", Math.max(...bytes) / megabyte);
    process.stdout.write(
      `      memory of each: ${bytes.map((each) => Math.round(each / megabyte)).join(", ")} MB (proportional)\n`,
    );
    expect(bytes).to.have.length(3);
    for (const each of bytes) expect(each).to.be.below(60 * megabyte);
  }
});

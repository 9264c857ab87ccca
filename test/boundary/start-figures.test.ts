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

describe("three isolated plugins", function () {
  this.timeout(120_000);
  let project: Project;
  before(async function () {
    needsPrograms.call(this, ["bwrap"]);
    project = await openProject();
  });
  after(() => project?.close());

  /** Milliseconds to the first word of a service that serves. */
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
    return { time: performance.now() - begun, program, url: `http://127.0.0.1:${port}` };
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
    const times: Record<"with" | "without", number[]> = { with: [], without: [] };
    for (let round = 0; round < 5; round++) {
      const bare = await started([]);
      times.without.push(bare.time);
      await bare.program.end();
      const full = await started(folders);
      times.with.push(full.time);
      if (round === 4) await measure(full);
      await full.program.end();
    }
    const more = median(times.with) - median(times.without);
    addFigure("ms of a start more for three isolated plugins", Math.max(0, more));
    process.stdout.write(
      `      start with three isolated plugins: ${Math.round(more)} ms more (${Math.round(median(times.without))} without)\n`,
    );
    // 250 ms where nothing else runs; a busy machine stretches both.
    expect(more).to.be.below(Math.max(250, median(times.without) * 0.4));
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

import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import { expect } from "chai";
import fc from "fast-check";
import type { Hunk } from "../file-patch.ts";
import { patch } from "../operations/patch.ts";
import { patchThreads } from "../patch-thread.ts";
import { applyHunks } from "../plan/apply-hunks.ts";
import { HunkFinder } from "../plan/find-hunk.ts";
import { TextLines } from "../plan/text-lines.ts";
import { readPatch } from "../read/read-patch.ts";
import { workspace } from "./workspace.ts";

/** A patch of any number of lines. */
const patchOf = (...lines: readonly (string | readonly string[])[]): string =>
  [["*** Begin Patch"], ...lines, ["*** End Patch"]].flat().join("\n");

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `line ${index}`);
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** A patch with a hunk for each line. */
const hunkForEach = (file: string, lines: readonly string[]): string =>
  patchOf(
    `*** Update File: ${file}`,
    lines.flatMap((line) => ["@@", `-${line}`, `+${line}!`]),
  );

/** How often other work had its turn meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 5);
  await work.finally(() => clearInterval(timer));
  return turns;
}

describe("apply_patch, large patches (R2, R5)", function () {
  this.timeout(120_000);
  after(() => patchThreads.end());

  it("R2: applies 100,000 hunks to 100,000 lines while other work goes on", async () => {
    const lines = numbered(100_000);
    const { apply, text } = workspace({ "a.txt": textOf(lines) });
    const turns = await turnsDuring(apply(hunkForEach("a.txt", lines)));
    expect(text("a.txt")).to.equal(textOf(lines.map((line) => `${line}!`)));
    expect(turns).to.be.greaterThan(10);
  });

  it("R2: applies 100,000 hunks that are looked for by an anchor", () => {
    const names = numbered(100_000);
    const text = textOf(names.flatMap((name) => [name, "  same"]));
    const hunks = names.map((name): Hunk => ({ lines: [{ mark: "-", text: "  same" }], anchors: [name] }));
    expect(applyHunks(text, hunks, "a.txt")).to.equal(textOf(names));
  });

  it("R2: stops when the call is cancelled, and changes nothing", async () => {
    const controller = new AbortController();
    const context = toolContext({ signal: controller.signal });
    // Every place of each hunk has to be looked at: it differs from the text in its last line only.
    const text = textOf(Array.from({ length: 400_000 }, (_, index) => (index % 2_000 === 0 ? "b" : "a")));
    const hunk = [
      "@@",
      ...Array.from({ length: 1_200 }, () => "-a"),
      "-b",
      ...Array.from({ length: 1_200 }, () => "-a"),
      "-b",
    ];
    const file = `${context.workingDirectory}/a.txt`;
    writeFileSync(file, text);
    const source = patchOf("*** Update File: a.txt", Array.from({ length: 300 }, () => hunk).flat());
    const work = runOperation(patch, { patch: source }, context).then(
      () => "applied",
      (error: unknown) => error,
    );
    await setTimeout(20);
    controller.abort(new Error("cancelled"));
    expect(await work).to.have.property("message", "cancelled");
    expect(readFileSync(file, "utf8") === text).to.equal(true);
  });

  it("R2: reads many updates of one file, and a name that begins with many spaces", () => {
    const lines = numbered(50_000);
    const updates = lines.flatMap((line) => ["*** Update File: a", "@@", `-${line}`, `+${line}!`]);
    expect(readPatch(patchOf(updates))).to.have.length(1);
    const [part] = readPatch(patchOf(`*** Add File:${" ".repeat(60_000)}x${" ".repeat(60_000)}y`, "+z"));
    expect(part?.path).to.match(/^x +y$/);
  });

  it("R2: refuses more files than can be checked, and patches beyond every use", async () => {
    const { failure } = workspace();
    const many = numbered(2_001).flatMap((name) => [`*** Add File: ${name}`, "+x"]);
    expect((await failure(patchOf(many))).message).to.contain("more than 2000 files");
    const long = await failure(`${patchOf("*** Add File: a", "+x")}\n${"x".repeat(16 << 20)}`);
    expect(long).to.include({ code: "invalid_value", message: "The patch is longer than 16 MiB." });
  });

  it("R2: says of a large patch which hunk fails, like of a small one", async () => {
    const lines = numbered(20_000);
    const { failure } = workspace({ "a.txt": textOf([...lines, "line 7"]) });
    const error = await failure(hunkForEach("a.txt", lines));
    expect(error.code).to.equal("ambiguous_match");
    expect(error.fields).to.deep.equal({ file: "a.txt", hunk: 8, matchCount: 2, lines: [8, 20_001] });
  });

  it("R2: names effect and paths of a large patch before it runs", async () => {
    const args = {
      patch: patchOf(
        ["*** Delete File: old", "*** Add File: new"],
        numbered(20_000).map((line) => `+${line}`),
      ),
      target_directory: ".",
    } as never;
    const { effect, touches, display } = patch;
    expect(await (effect as (args: never) => unknown)(args)).to.equal("destructive");
    expect(await touches?.(args)).to.deep.equal([
      { path: "old", effect: "destructive" },
      { path: "new", effect: "write" },
    ]);
    expect(display?.(args)).to.deep.include({ details: ["old", "new"] });
  });

  it("R5: applies a hunk at the end of 300,000 lines", async () => {
    const lines = numbered(300_000);
    const { apply, text } = workspace({ "a.txt": textOf(lines) });
    await apply(patchOf("*** Update File: a.txt", "@@", "-line 299999", "+last"));
    expect(text("a.txt")).to.equal(textOf([...lines.slice(0, -1), "last"]));
  });

  it("R2: finds the same places as a search that looks at every line", () => {
    const line = fc.constantFrom("a", " a", "b", "");
    const hunkLine = fc.record({ mark: fc.constantFrom(" ", "-", "+"), text: line });
    const hunk = fc.record({
      lines: fc.array(hunkLine, { minLength: 1, maxLength: 4 }),
      anchors: fc.array(fc.constantFrom("a", "b", ""), { maxLength: 2 }),
      linesBefore: fc.option(fc.nat(12), { nil: undefined }),
      isLast: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), hunk, (lines, one) => {
        const found = [...new HunkFinder(new TextLines(textOf(lines))).places(one)];
        expect(found).to.deep.equal(slowPlaces(lines, one));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** All places of a hunk, by looking at each line for each hunk. */
function slowPlaces(lines: readonly string[], hunk: Hunk): readonly number[] {
  const all = [...lines.keys(), lines.length];
  const before = hunk.lines.filter(({ mark }) => mark !== "+").map(({ text }) => text);
  let starts = [0];
  for (const anchor of hunk.anchors) {
    const [from = lines.length] = starts;
    starts = all.filter((at) => at > from && lines[at - 1]?.trim() === anchor);
  }
  const { linesBefore = lines.length } = hunk;
  if (before.length === 0 && hunk.anchors.length === 0)
    return linesBefore <= lines.length ? [linesBefore] : [];
  if (before.length === 0) return starts;
  const last = lines.length - before.length;
  const fits = all.filter(
    (at) =>
      at <= last &&
      (hunk.isLast !== true || at >= Math.max(0, last)) &&
      before.every((text, index) => lines[at + index] === text),
  );
  if (hunk.anchors.length === 0) return fits;
  return [...new Set(starts.flatMap((start) => fits.find((at) => at >= start) ?? []))];
}

import type { Suite, Test } from "mocha";
import { useBuiltThreads } from "./built-threads.ts";
import { canarySeen, watchForCanary } from "./canary.ts";
import { FileTimes } from "./file-times.ts";
import { checkAnswers, nameTest, watchAnswers } from "./watch-answers.ts";

watchForCanary();
watchAnswers();
if (process.env["PERGOLA_BUILT_THREADS"] === "1") useBuiltThreads();

/** A promise that nobody handles fails the test run instead of passing unseen. */
process.on("unhandledRejection", (reason) => {
  throw reason;
});

/** Milliseconds after the last test in which the run has to end by itself. */
const grace = 20_000;

interface Handle {
  readonly spawnargs?: readonly string[];
  readonly localPort?: number;
  readonly remotePort?: number;
  hasRef?(): boolean;
}

/**
 * What keeps the process from ending, as far as Node tells: programs by their command line, sockets by their
 * ports.
 */
function leftOver(): string {
  const { _getActiveHandles: handles } = process as unknown as {
    readonly _getActiveHandles: () => readonly Handle[];
  };
  const named = ({ spawnargs, localPort, remotePort, constructor: { name } }: Handle): string =>
    [name, spawnargs?.join(" "), localPort && `port ${localPort}`, remotePort && `to port ${remotePort}`]
      .filter(Boolean)
      .join(" ");
  const held = handles.call(process).filter((handle) => handle.hasRef?.() !== false);
  return [...process.getActiveResourcesInfo(), ...held.map(named)].join("\n  ");
}

/**
 * A server, a program or a timer that a test left behind would keep the run from ending, for ever and without
 * a word.
 */
function endWithin(milliseconds: number): void {
  const end = (): void => {
    process.stderr.write(
      `\nThe tests left something behind that keeps the process from ending:\n  ${leftOver()}\n`,
    );
    process.exit(1);
  };
  setTimeout(end, milliseconds).unref();
}

const times = new FileTimes();
/**
 * The line by which `scripts/test.mjs` runs the files with a failure once more, with how many of their tests
 * need not be counted twice.
 */
function toRunAgain(tests: readonly Test[]): string {
  const isDone = (test: Test): boolean => test.isPassed() || test.isPending();
  const files = new Set(tests.filter((test) => !isDone(test)).map(({ file }) => file));
  const theirs = tests.filter(({ file }) => files.has(file));
  const passed = theirs.filter((test) => test.isPassed()).length;
  const skipped = theirs.filter((test) => test.isPending()).length;
  return `To run again, where ${passed} passed, ${skipped} skipped: ${[...files].join(" ")}\n`;
}

const testsIn = (suite: Suite): readonly Test[] => [...suite.tests, ...suite.suites.flatMap(testsIn)];
const requiresAll = process.env["PERGOLA_REQUIRE_ALL"] === "1";

/**
 * A test whose outside program is missing skips itself; where everything is to be there
 * (PERGOLA_REQUIRE_ALL=1), that is a failure. With PERGOLA_TEST_TIMES=1 the slowest files are listed at the
 * end.
 */
export const mochaHooks = {
  beforeEach(this: { readonly currentTest?: Test }): void {
    nameTest(this.currentTest?.fullTitle() ?? "");
  },
  afterEach(this: { readonly currentTest?: Test }): void {
    times.add(this.currentTest?.file);
  },
  async afterAll(this: {
    readonly test: { readonly parent: Suite };
    timeout(milliseconds: number): void;
  }): Promise<void> {
    // On a busy machine the comparison of the answers takes long.
    this.timeout(120_000);
    const tests = testsIn(this.test.parent);
    const skipped = tests.filter((test) => test.isPending());
    const passed = tests.filter((test) => test.isPassed());
    const failed = tests.filter((test) => test.isFailed());
    const notRun = tests.length - passed.length - failed.length - skipped.length;
    const rest = notRun === 0 ? "" : `, ${notRun} not run`;
    process.stdout.write(
      `\n${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped${rest}\n`,
    );
    if (process.env["PERGOLA_TEST_TIMES"] === "1") process.stdout.write(`${times.slowest()}\n`);
    const { count, faults } = await checkAnswers();
    if (count > 0) process.stdout.write(`${count} answers compared with the OpenAPI document\n`);
    endWithin(grace);
    const seen = canarySeen();
    if (seen.length > 0) throw new Error(`A provider's key got out, in:\n  ${seen.join("\n  ")}`);
    if (faults.length > 0)
      throw new Error(`Answers that /openapi.json does not declare:\n  ${faults.join("\n  ")}`);
    const titles = skipped.map((test) => test.fullTitle());
    if (requiresAll && titles.length > 0)
      throw new Error(`These tests were skipped, and none may be:\n  ${titles.join("\n  ")}`);
    if (failed.length + notRun > 0) process.stdout.write(toRunAgain(tests));
  },
};

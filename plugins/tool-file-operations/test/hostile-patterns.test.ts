import { mkdirSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { compileIgnoreRules } from "../search/ignore-rules.ts";
import { workspace, type Workspace } from "./context.ts";

/**
 * Milliseconds of the processor, whoever else is using it; what goes wrong with such a pattern takes minutes,
 * what goes right some of them.
 */
const moment = 1000;
const longestStall = 500;

interface Timed {
  readonly milliseconds: number;
  /** Milliseconds of the processor in all threads. */
  readonly cpu: number;
  /** The longest time in which nothing else could run. */
  readonly stall: number;
}

async function timed(work: () => Promise<unknown>): Promise<Timed> {
  let last = performance.now();
  let stall = 0;
  const timer = setInterval(() => {
    stall = Math.max(stall, performance.now() - last);
    last = performance.now();
  }, 5);
  const started = last;
  const before = process.cpuUsage();
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  const ended = performance.now();
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: ended - started, cpu: (user + system) / 1000, stall: Math.max(stall, ended - last) };
}

const settled = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe("hostile expressions", function () {
  this.retries(2);
  let place: Workspace;

  before(async () => {
    const lines = `${"a".repeat(30)}!\n`.repeat(20_000);
    place = workspace({
      "lines.txt": lines,
      "one-line.txt": `${"a".repeat(1 << 20)}!`,
      "x.txt": `${"x".repeat(60_000)}\n`,
    });
    await place.run("grep_search", { query: "warm", isRegexp: true });
  });

  for (const query of [
    "(a+)+$",
    "(a|a)*b",
    "(a|aa)+$",
    "(.*a){12}b",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(x+x+)+y",
    "(a?){50}a{50}b",
    "([a-z]{1,30}){1,30}!!",
    "\\b(a+)+\\b!!",
    "(.*)(.*)(.*)(.*)(.*)\\b[xyz]q",
    "((a{1,100}){1,100}){1,100}",
    "(".repeat(400) + "a" + ")".repeat(400),
    "(a+)+\\1",
    "(?=(a+)+)b",
    "[",
    "*",
    "a{1000000}",
  ]) {
    it(`${query.slice(0, 40)} answers at once and lets others run`, async () => {
      const { cpu, stall } = await timed(() => settled(place.run("grep_search", { query, isRegexp: true })));
      expect(cpu).to.be.below(moment);
      expect(stall).to.be.below(longestStall);
    });
  }
});

describe("hostile globs", function () {
  this.retries(2);
  let place: Workspace;

  before(async () => {
    place = workspace();
    const deep = `${"a/".repeat(60)}b`;
    mkdirSync(place.path(deep.slice(0, -2)), { recursive: true });
    for (const name of [
      deep,
      `${"a".repeat(200)}b`,
      ...Array.from({ length: 50 }, (_, index) => `${"ab".repeat(100)}${index}`),
    ]) {
      writeFileSync(place.path(name), "a");
    }
    await place.run("file_search", { query: "warm*" });
  });

  for (const glob of [
    "*".repeat(200) + "x",
    "**/".repeat(80) + "x",
    "**/a/".repeat(40) + "c",
    "*a".repeat(8) + "c",
    "*a".repeat(100) + "c",
    "*(*(*(a|b)))",
    "+(a|aa)+(a|aa)+(a|aa)c",
    "{a,b}".repeat(40),
    "{".repeat(100),
    "{a,".repeat(80),
    `${"{a,".repeat(60)}b${"}".repeat(60)}`,
    "[".repeat(100),
    "?".repeat(250),
    "[a-z]*".repeat(40),
  ]) {
    for (const [operation, args] of [
      ["file_search", { query: glob }],
      ["grep_search", { query: "a", includePattern: glob }],
    ] as const) {
      it(`${operation} with ${glob.slice(0, 30)} (${glob.length}) answers at once`, async () => {
        const { cpu, stall } = await timed(() => settled(place.run(operation, args)));
        expect(cpu).to.be.below(moment);
        expect(stall).to.be.below(longestStall);
      });
    }
  }

  for (const most of [4, 40]) {
    it(`a hostile .gitignore with ${most} wildcards a rule does not hold up the search`, async () => {
      const lines = Array.from(
        { length: 1000 },
        (_, index) => `${"**/a/".repeat((index % most) + 1)}c${index}\n${"*a".repeat((index % most) + 1)}*c`,
      );
      place.put(".gitignore", lines.join("\n"));
      const { cpu } = await timed(() => place.run("file_search", { query: "*" }));
      expect(cpu).to.be.below(moment);
    });
  }

  it("leaves out ignore rules longer than 256 characters", async () => {
    const rules = await compileIgnoreRules(`${"a".repeat(257)}\n${" ".repeat(60_000)}x\n*.log`);
    expect(rules.check("a".repeat(257), false)).to.equal(undefined);
    expect(rules.check("b.log", false)).to.include({ ignored: true });
  });
});

describe("a tree of 5,000 files", function () {
  this.timeout(60_000);
  this.retries(2);
  let place: Workspace;

  before(() => {
    place = workspace();
    for (let folder = 0; folder < 100; folder += 1) {
      mkdirSync(place.path(`src/m${folder}`), { recursive: true });
      for (let file = 0; file < 50; file += 1) {
        const lines = Array.from(
          { length: 60 },
          (_, index) => `export const value${index} = compute(input${file}, ${index}); // step`,
        );
        writeFileSync(place.path(`src/m${folder}/f${file}.ts`), lines.join("\n"));
      }
    }
    place.put("src/m99/zebra.ts", "// how the zebra crosses the street\nexport function cross() {}\n");
  });

  const operations: readonly (readonly [
    operation: string,
    args: Readonly<Record<string, unknown>>,
    milliseconds: number,
  ])[] = [
    ["file_search", { query: "**/f1*.ts" }, 4000],
    ["grep_search", { query: "zebra" }, 5000],
    ["grep_search", { query: "comp\\w+\\(input7, 5\\d\\)", isRegexp: true }, 8000],
    ["list_dir", { filePath: ".", recursive: true }, 4000],
    ["semantic_search", { query: "street crossing" }, 12_000],
  ];

  for (const [operation, args, limit] of operations) {
    it(`${operation} ${JSON.stringify(args)} covers it all and lets others run`, async () => {
      const { milliseconds, stall } = await timed(() => place.run(operation, args));
      expect(milliseconds).to.be.below(limit);
      expect(stall).to.be.below(longestStall);
    });
  }

  it("a cancelled search ends soon", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    const { milliseconds } = await timed(() =>
      settled(place.run("grep_search", { query: "nothing of the kind" }, { signal: stop.signal })),
    );
    expect(milliseconds).to.be.below(1000);
  });

  it("T10: semantic_search reads the whole tree, not the first files of it", async () => {
    const [first] = await place.data<readonly { readonly file: string; readonly line: number }[]>(
      "semantic_search",
      {
        query: "street crossing",
      },
    );
    expect(first).to.include({ file: "src/m99/zebra.ts", line: 1 });
  });
});

// Makes 100,000 files in a temporary folder, indexes them and asks.
//   node --conditions=source --import tsx plugins/tool-system-search/test/bench/hundred-thousand-files.ts
//   [files]
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { IndexQuery } from "../../index/queries.ts";
import { IndexLink } from "../../service/index-link.ts";
import type { IndexAnswer } from "../../service/messages.ts";

const count = Number(process.argv[2] ?? 100_000);
const perFolder = 100;
const never = new AbortController().signal;
const words = Array.from({ length: 20_000 }, (_, index) => `w${((index * 2654435761) >>> 0).toString(36)}`);
/** Said in about one file of a hundred. */
const rare = words[Math.floor(words.length * 0.95 ** 3)]!;
let seed = 1;
const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
/** Some words are said often, most of them seldom. */
const word = (): string => words[Math.floor(words.length * (random(10_000) / 10_000) ** 3)]!;
const text = (): string => Array.from({ length: 60 + random(120) }, word).join(" ");

function makeFiles(root: string): void {
  for (let index = 0; index < count; index += 1) {
    const number = Math.floor(index / perFolder);
    const folder = path.join(root, `area-${number % 20}`, `folder-${number}`);
    if (index % perFolder === 0) mkdirSync(folder, { recursive: true });
    const title = index % 50 === 1 ? `# Notes on ${word()}\n` : "";
    writeFileSync(
      path.join(folder, `${word()}-${word()}-${index}.${["txt", "md", "ts", "csv"][index % 4]}`),
      title + text(),
    );
  }
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

async function until(link: IndexLink, holds: (answer: IndexAnswer) => boolean): Promise<number> {
  const begin = performance.now();
  while (!holds(await link.ask({ kind: "recent", since: Date.now(), limit: 1 }, 0, never)))
    await setTimeout(50);
  return performance.now() - begin;
}

async function measure(link: IndexLink, name: string, query: IndexQuery): Promise<void> {
  const times: number[] = [];
  let total = 0;
  for (let round = 0; round < 21; round += 1) {
    const begin = performance.now();
    total = (await link.ask(query, 0, never)).total;
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(44)} ${String(total).padStart(7)} hits  median ${ms(times[10]!)}  worst ${ms(times[20]!)}`,
  );
}

const root = mkdtempSync(path.join(tmpdir(), "pergola-bench-"));
const settings = { folder: path.join(root, ".index"), roots: [path.join(root, "files")], closed: [] };
try {
  makeFiles(path.join(root, "files"));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let link = new IndexLink(settings);
  console.log(`all names known after ${ms(await until(link, ({ state }) => state.complete))}`);
  console.log(`all files read after ${ms(await until(link, ({ state }) => state.unread === 0))} more`);
  console.log(`longest pause of the host's loop meanwhile ${ms(delay.max / 1e6)}`);
  const size = ["", "-wal"].map(
    (end) => statSync(path.join(settings.folder, `index.sqlite${end}`), { throwIfNoEntry: false })?.size ?? 0,
  );
  console.log(
    `index ${(size.reduce((sum, each) => sum + each, 0) / 1e6).toFixed(0)} MB, process ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`,
  );
  await measure(link, "search: one file's number", { kind: "all", text: "-99999.", limit: 75 });
  await measure(link, "search: a rare word", { kind: "all", text: rare, limit: 75 });
  await measure(link, "search: the most frequent word", { kind: "all", text: words[0]!, limit: 75 });
  await measure(link, "search: two letters", { kind: "all", text: "1z", limit: 75 });
  await measure(link, "search: *.md", { kind: "all", text: "*.md", limit: 75 });
  await measure(link, "search: a rare word among source code", {
    kind: "all",
    text: rare,
    type: "source_code",
    limit: 75,
  });
  await measure(link, "search_content: a rare word", { kind: "content", text: rare, limit: 75 });
  await measure(link, "search_content: three frequent words", {
    kind: "content",
    text: words.slice(0, 3).join(" "),
    limit: 75,
  });
  await measure(link, "search_content: rare, in one of 20 folders", {
    kind: "content",
    text: rare,
    directory: path.join(settings.roots[0]!, "area-7"),
    limit: 75,
  });
  await measure(link, "search_metadata: title", {
    kind: "metadata",
    attribute: "title",
    value: words[5]!,
    limit: 75,
  });
  await measure(link, "search_metadata: size > 1 kB", {
    kind: "metadata",
    attribute: "size",
    value: "> 1 kB",
    limit: 75,
  });
  await measure(link, "recent_files: all of them", { kind: "recent", since: 0, limit: 75 });
  await link.close();
  const begin = performance.now();
  link = new IndexLink(settings);
  await link.ask({ kind: "all", text: rare, limit: 75 }, 0, never);
  console.log(`first answer after a restart ${ms(performance.now() - begin)}`);
  console.log(`all folders visited again after ${ms(await until(link, ({ state }) => state.complete))} more`);
  await link.close();
} finally {
  rmSync(root, { recursive: true, force: true });
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Log, SearchIndex } from "@pergola/sdk";
import { codeOf } from "@pergola/kit-storage";
import { openSqlite } from "../../../plugins/storage-sqlite/open-sqlite.ts";
import { randomFrom } from "./random.ts";
import type { Figure } from "../report.ts";

const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const [vocabulary, wordsInText, dimensions, batchSize] = [60_000, 20, 384, 2000];
const scope = "memory:s1";

/**
 * Words as often as in a language: the nth most frequent one n times as rare as the first (Zipf's law,
 * shifted as Mandelbrot's).
 */
function zipf(random: () => number): () => number {
  const sums = new Float64Array(vocabulary);
  let sum = 0;
  for (let rank = 0; rank < vocabulary; rank++) sums[rank] = sum += 1 / (rank + 2.7);
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, vocabulary - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const word = (rank: number): string => `w${rank.toString(36)}q`;

const unit = (vector: Float32Array): Float32Array => {
  let square = 0;
  for (let axis = 0; axis < vector.length; axis++) square += vector[axis]! ** 2;
  const length = Math.sqrt(square);
  return vector.map((value) => value / length);
};

/**
 * Vectors around some subjects, and as far from these as sentences are: the sum of a subject and of a
 * direction of one's own.
 */
function vectorSource(random: () => number): () => Float32Array {
  const direction = (): Float32Array =>
    unit(Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5));
  const [subjects, own] = [2000, 4000].map((count) => Array.from({ length: count }, direction));
  const pick = (list: readonly Float32Array[]): Float32Array => list[Math.floor(random() * list.length)]!;
  return () => {
    const [subject, other] = [pick(subjects!), pick(own!)];
    return unit(subject.map((value, axis) => value + other[axis]!));
  };
}

interface Times {
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of CPU in all threads, mean: on a busy machine the surer measure. */
  readonly cpu: number;
}

async function timed(count: number, work: (turn: number) => Promise<unknown>): Promise<Times> {
  for (let turn = 0; turn < 5; turn++) await work(turn);
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let turn = 0; turn < count; turn++) {
    const begun = performance.now();
    await work(turn);
    times.push(performance.now() - begun);
  }
  const { user, system } = process.cpuUsage(before);
  const sorted = times.toSorted((a, b) => a - b);
  return {
    cpu: (user + system) / 1000 / count,
    p50: sorted[Math.floor(count / 2)]!,
    p99: sorted[Math.floor(0.99 * count)]!,
  };
}

/** Five words as they come, and two of medium frequency, against which the times are measured as well. */
function questions(seed: number): { readonly mixed: () => string; readonly medium: () => string } {
  const random = randomFrom(seed);
  const next = zipf(random);
  const medium = (): string => word(500 + Math.floor(random() * 2000));
  return {
    mixed: () => Array.from({ length: 5 }, () => word(next())).join(" "),
    medium: () => `${medium()} ${medium()}`,
  };
}

async function fill(
  index: SearchIndex,
  size: number,
  make: (number: number) => Parameters<SearchIndex["index"]>[0][number],
): Promise<void> {
  for (let from = 0; from < size; from += batchSize)
    await index.index(Array.from({ length: Math.min(batchSize, size - from) }, (_, at) => make(from + at)));
}

interface Measured {
  readonly words: Times;
  readonly medium: Times;
  readonly vectors: Times;
  readonly recall: number;
  readonly megabytes: number;
  readonly seconds: number;
}

async function measure(size: number): Promise<Measured> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), "pergola-bench-"));
  const storage = await openSqlite({ durability: "process" }, { dataDirectory, log });
  try {
    const begun = performance.now();
    const random = randomFrom(size);
    const [rank, vector] = [zipf(random), vectorSource(randomFrom(size))];
    const words = storage.search("memories", { fields: { text: 1, near: 0.25, asked: 0.5 }, dimensions: 0 });
    await fill(words, size, (number) => ({
      id: `m${number}`,
      scope,
      fields: {
        text: Array.from({ length: wordsInText }, () => word(rank())).join(" "),
        near: "",
        asked: "",
      },
    }));
    const near = storage.search("memories/bench", { fields: {}, dimensions });
    const asked = Array.from({ length: 10 }, vector);
    const best = asked.map(() => [] as { id: string; cosine: number }[]);
    await fill(near, size, (number) => {
      const own = vector();
      for (const [turn, question] of asked.entries()) keepBest(best[turn]!, `m${number}`, question, own);
      return { id: `m${number}`, scope, fields: {}, vector: own };
    });
    const seconds = (performance.now() - begun) / 1000;
    const { mixed, medium } = questions(1);
    const ask = (text: string): Promise<unknown> => words.query({ scopes: [scope], text, limit: 60 });
    const nearTo = (turn: number, limit = 60) =>
      near.query({ scopes: [scope], vector: asked[turn % asked.length]!, limit });
    const before = process.memoryUsage().arrayBuffers;
    await nearTo(0);
    const codes = size * (codeOf(asked[0]!).byteLength + 4);
    const found = await Promise.all(asked.map((_, turn) => nearTo(turn)));
    const hits = found.map(
      (hit, turn) => best[turn]!.filter(({ id }) => hit.slice(0, 10).some((other) => other.id === id)).length,
    );
    return {
      words: await timed(100, () => ask(mixed())),
      medium: await timed(100, () => ask(medium())),
      vectors: await timed(40, nearTo),
      recall: hits.reduce((sum, hit) => sum + hit, 0) / (10 * asked.length),
      megabytes: Math.max(codes, process.memoryUsage().arrayBuffers - before) / 2 ** 20,
      seconds,
    };
  } finally {
    await storage.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

/** The ten nearest so far, nearest first. */
function keepBest(
  best: { id: string; cosine: number }[],
  id: string,
  question: Float32Array,
  own: Float32Array,
): void {
  let cosine = 0;
  for (let axis = 0; axis < dimensions; axis++) cosine += question[axis]! * own[axis]!;
  if (best.length === 10 && cosine <= best[9]!.cosine) return;
  best.push({ id, cosine });
  best.sort((a, b) => b.cosine - a.cosine);
  best.length = Math.min(10, best.length);
}

/** Searches in a million memories, and how their times have grown from a hundred thousand on. */
export async function searchMillion(): Promise<readonly Figure[]> {
  const few = await measure(100_000);
  const many = await measure(1_000_000);
  const figure = (what: string, value: number, more: Pick<Figure, "unit" | "goal" | "detail">): Figure => ({
    id: "P15",
    what,
    value,
    detail: "",
    ...more,
  });
  return [
    figure("words, 1,000,000: p50", many.words.p50, {
      unit: "ms",
      goal: 20,
      detail: `CPU ${many.words.cpu.toFixed(1)} ms; ${(many.words.p50 / many.medium.p50).toFixed(1)} × two medium words`,
    }),
    figure("words, 1,000,000: p99", many.words.p99, { unit: "ms", goal: 60 }),
    figure("words: 1,000,000 ÷ 100,000", many.words.p50 / few.words.p50, {
      unit: "×",
      goal: 12,
      detail: `${few.words.p50.toFixed(1)} ms`,
    }),
    figure("vectors, 1,000,000: p50", many.vectors.p50, {
      unit: "ms",
      goal: 30,
      detail: `CPU ${many.vectors.cpu.toFixed(1)} ms; p99 ${many.vectors.p99.toFixed(1)} ms; 100,000: ${few.vectors.p50.toFixed(1)} ms`,
    }),
    figure("memory of vectors, 1,000,000", many.megabytes, {
      unit: "MB",
      goal: 80,
      detail: `built in ${many.seconds.toFixed(0)} s`,
    }),
    figure("vectors: missed of the ten nearest", 1 - many.recall, { unit: "", goal: 0.05 }),
  ];
}

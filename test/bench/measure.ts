import { cpuOf, type Program } from "./processes.ts";

/** One round of a leg: its figure. */
export type Round = () => Promise<number>;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
};

/** On-CPU microseconds of a program for one unit of a load. */
export async function cpuPer(
  program: Pick<Program, "pid">,
  units: number,
  load: () => Promise<unknown>,
): Promise<number> {
  const [used = Number.NaN] = await cpuOfEach([program], units, load);
  return used;
}

/** The same of several programs that have their loads in turns: a neighbour slows all of them. */
export async function cpuOfEach(
  programs: readonly Pick<Program, "pid">[],
  units: number,
  load: () => Promise<unknown>,
): Promise<readonly number[]> {
  const before = programs.map(({ pid }) => cpuOf(pid));
  await load();
  return programs.map(({ pid }, at) => ((cpuOf(pid) - (before[at] ?? Number.NaN)) * 1000) / units);
}

/**
 * What a leg takes in all its rounds. Legs that are measured within the same second lose alike to what else
 * the machine does: of two of them this tells more than a part of the rounds.
 */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The lower quartile: what something takes while others leave the machine alone. What they take from it is
 * never less than nothing, so that it repeats better than the middle.
 */
export function quiet(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) / 4;
  const [below = Number.NaN, above = below] = sorted.slice(Math.floor(at), Math.floor(at) + 2);
  return below + (above - below) * (at % 1);
}

function mapOf<Name extends string, T>(names: readonly Name[], make: (name: Name) => T): Record<Name, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;
}

const steady = 0.05;
const isSteady = (values: readonly number[]): boolean => {
  const [last = Number.NaN, before = Number.NaN] = [values.at(-1), values.at(-2)];
  return Math.abs(last - before) <= steady * Math.abs(before);
};

export interface Measured<Name extends string> {
  /** The figures of the measured rounds, in their order. */
  readonly of: Readonly<Record<Name, readonly number[]>>;
  /** The first round of each: nothing was warm. */
  readonly first: Readonly<Record<Name, number>>;
  /** What a reader must know of the warm-up; empty where all legs got steady. */
  readonly note: string;
}

export interface Plan {
  /** Measured rounds of each leg. */
  readonly pairs?: number;
  /** Most rounds of the warm-up. */
  readonly warm?: number;
  /** Fewest: where V8 compiles for long, two rounds that agree by chance would end it too early. */
  readonly least?: number;
}

/** One of the times that a row is measured in a run of the bench. */
export interface Visit {
  /** As much as fits into the quick set. */
  readonly quick: boolean;
  /** The first of them: later ones find warm what the whole run keeps, such as the references. */
  readonly first: boolean;
  /** Adds figures of a leg, and has those of all visits so far. */
  readonly add: (leg: string, figures: readonly number[]) => readonly number[];
  /** Has what the first visit made. */
  readonly keep: <T>(make: () => Promise<T>) => Promise<T>;
}

/** What the visits of one row share. */
export function visitsOf(quick: boolean): () => Visit {
  const found = new Map<string, readonly number[]>();
  let [count, kept] = [0, undefined as Promise<unknown> | undefined];
  return () => ({
    quick,
    first: count++ === 0,
    add: (leg, figures) => {
      const all = [...(found.get(leg) ?? []), ...figures];
      found.set(leg, all);
      return all;
    },
    keep: <T>(make: () => Promise<T>) => (kept ??= make()) as Promise<T>,
  });
}

/**
 * The plan of a visit; the quick set has one. Later ones are warmed up as well: a service that was at rest
 * between them has let go of optimized code.
 */
export function planOf(
  { quick, first }: Visit,
  plans: {
    readonly first: Plan;
    readonly later: readonly [pairs: number, warm: number];
    readonly quick?: Plan;
  },
): Plan {
  if (quick) return plans.quick ?? plans.first;
  const [pairs, warm] = plans.later;
  return first ? plans.first : { pairs, warm, least: warm };
}

/**
 * The legs take turns, first until two rounds of each differ by less than 5 %, within the bounds, then for
 * the measured rounds. Those of a visit are added to those of earlier visits; where a row measures more than
 * once, `among` tells legs of the same name apart.
 */
export async function measure<Name extends string>(
  legs: Readonly<Record<Name, Round>>,
  plan?: Plan,
  visit?: Visit,
  among?: string,
): Promise<Measured<Name>> {
  const names = Object.keys(legs) as Name[];
  const round = async (): Promise<readonly number[]> => {
    const figures: number[] = [];
    for (const name of names) figures.push(await legs[name]());
    return figures;
  };
  return measureTogether({ names, round }, plan, visit, among);
}

/** The same where one round has the figures of all legs, in their order. */
export async function measureTogether<Name extends string>(
  { names, round }: { readonly names: readonly Name[]; readonly round: () => Promise<readonly number[]> },
  { pairs = 3, warm = 8, least = 2 }: Plan = {},
  visit?: Visit,
  among = "",
): Promise<Measured<Name>> {
  const addRound = async (found: Record<Name, number[]>): Promise<void> => {
    const figures = await round();
    for (const [at, name] of names.entries()) found[name].push(figures[at] ?? Number.NaN);
  };
  const cold = mapOf(names, (): number[] => []);
  let count = 0;
  for (; count < least || (count < warm && !names.every((name) => isSteady(cold[name]))); count++)
    await addRound(cold);
  const restless = count === 0 ? [] : names.filter((name) => !isSteady(cold[name]));
  const of = mapOf(names, (): number[] => []);
  for (let pair = 0; pair < pairs; pair++) await addRound(of);
  const all = (name: Name): readonly number[] => visit?.add(`${among}${name}`, of[name]) ?? of[name];
  const first = mapOf(names, (name) => cold[name][0] ?? Number.NaN);
  const note = restless.length === 0 ? "" : `${restless.join(", ")} not steady after ${count} rounds`;
  return { of: mapOf(names, all), first, note };
}

/** The median of the ratios of each pair. */
export const ratioOf = (ours: readonly number[], reference: readonly number[]): number =>
  median(ours.map((value, at) => value / (reference[at] ?? Number.NaN)));

/** What a reader may compare with a quotient of quiet rounds or of all. */
export const middleOf = (ours: readonly number[], reference: readonly number[]): string =>
  `in the middle ${ratioOf(ours, reference).toFixed(2)} ×`;

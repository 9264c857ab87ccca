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
  { pid }: Pick<Program, "pid">,
  units: number,
  load: () => Promise<unknown>,
): Promise<number> {
  const before = cpuOf(pid);
  await load();
  return ((cpuOf(pid) - before) * 1000) / units;
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
}

/** The plan of a visit; the quick set has one. */
export function planOf(
  { quick, first }: Visit,
  plans: { readonly first: Plan; readonly later: Plan; readonly quick?: Plan },
): Plan {
  if (quick) return plans.quick ?? plans.first;
  return first ? plans.first : plans.later;
}

/**
 * The legs take turns, first until two rounds of each differ by less than 5 %, within the bounds, then for
 * the measured rounds.
 */
export async function measure<Name extends string>(
  legs: Readonly<Record<Name, Round>>,
  { pairs = 3, warm = 8, least = 2 }: Plan = {},
): Promise<Measured<Name>> {
  const names = Object.keys(legs) as Name[];
  const rounds = async (found: Record<Name, number[]>): Promise<void> => {
    for (const name of names) found[name].push(await legs[name]());
  };
  const none = (): Record<Name, number[]> =>
    Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  const cold = none();
  let count = 0;
  for (; count < least || (count < warm && !names.every((name) => isSteady(cold[name]))); count++)
    await rounds(cold);
  const restless = names.filter((name) => !isSteady(cold[name]));
  const of = none();
  for (let pair = 0; pair < pairs; pair++) await rounds(of);
  const first = Object.fromEntries(names.map((name) => [name, cold[name][0]])) as Record<Name, number>;
  const note = restless.length === 0 ? "" : `${restless.join(", ")} not steady after ${count} rounds`;
  return { of, first, note };
}

/** The median of the ratios of each pair. */
export const ratioOf = (ours: readonly number[], reference: readonly number[]): number =>
  median(ours.map((value, at) => value / (reference[at] ?? Number.NaN)));

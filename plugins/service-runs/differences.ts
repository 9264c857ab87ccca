import { isObject } from "@pergola/sdk";

/** Something in a value that is not what it was: what stood there, and what stands there now. */
export interface Difference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Members of one list that are shown. */
const mostMembers = 3;

/** The differences that are shown, and how many are not. */
export interface Differences {
  readonly shown: readonly Difference[];
  readonly others: number;
}

/**
 * Where two values differ that a plugin was given and gave back. Members of lists are compared by identity,
 * so that a long history costs nothing; of each list the last ones are shown, the newest.
 */
export function differencesOf(before: unknown, after: unknown): Differences {
  if (!isObject(before) || !isObject(after)) return { shown: [{ field: "", before, after }], others: 0 };
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const found = fields.map((field) => differencesIn(field, before[field], after[field]));
  return {
    shown: found.flatMap(({ shown }) => shown),
    others: found.reduce((sum, { others }) => sum + others, 0),
  };
}

function differencesIn(field: string, before: unknown, after: unknown): Differences {
  if (before === after) return { shown: [], others: 0 };
  if (!Array.isArray(before) || !Array.isArray(after))
    return { shown: [{ field, before, after }], others: 0 };
  const [gone, come] = changedMembers(before, after);
  const count = Math.max(gone.length, come.length);
  const first = Math.max(0, count - mostMembers);
  const shown = Array.from({ length: count - first }, (_, index) => ({
    field,
    before: gone[first + index],
    after: come[first + index],
  }));
  return { shown, others: first };
}

/** What is only in the first list, and what is only in the second. */
function changedMembers(
  before: readonly unknown[],
  after: readonly unknown[],
): readonly [readonly unknown[], readonly unknown[]] {
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  const [old, now] = [before, after].map((list) => list.slice(first, list.length - last));
  const [inOld, inNow] = [new Set(old), new Set(now)];
  return [(old ?? []).filter((one) => !inNow.has(one)), (now ?? []).filter((one) => !inOld.has(one))];
}

/** Whether these are the same differences as those: of the same things, not of equal ones. */
export const areSame = (these: Differences, those: Differences | undefined): boolean =>
  these.others === those?.others &&
  these.shown.length === those.shown.length &&
  these.shown.every(({ field, before, after }, index) => {
    const other = those.shown[index];
    return other?.field === field && other.before === before && other.after === after;
  });

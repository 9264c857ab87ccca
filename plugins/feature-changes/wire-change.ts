import type { ChangePage, FileChangeRecord, FileState } from "@pergola/sdk/host";

/** Octal, as 0644. */
export function wireMode(mode: number | null): string | null {
  if (mode === null) return null;
  return (mode & 0o7777).toString(8).padStart(4, "0");
}

const wireState = (state: FileState | null) => state && { ...state, mode: wireMode(state.mode) };

const lostOf = ({ state, lost, revertedBy }: FileChangeRecord): string | null => {
  if (lost !== null || state === "done")
    return revertedBy === null ? lost : `It was reverted already, by ${revertedBy}.`;
  if (state === "pending") return "It is under way.";
  return "The service was cut in it; what became of it is not certain.";
};

/** A change on the wire. */
export function wireChange(change: FileChangeRecord) {
  const { lost: _, ...facts } = change;
  const reason = lostOf(change);
  return {
    ...facts,
    before: wireState(change.before),
    after: wireState(change.after),
    revertible: reason === null,
    reason,
  };
}

/** A page of them. `complete` is false when something is known to be missing. */
export const wirePage = ({ items, count, gaps }: ChangePage) => ({
  changes: items.map(wireChange),
  count,
  complete: gaps.length === 0,
  gaps,
});

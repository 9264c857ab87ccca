import type { Write } from "@pergola/sdk";

/**
 * Where a run stands. `held`: nothing of it is stored; its first sign of life will store `admission`.
 * `admitted`: everything is stored as it happens. `refused`: it failed before its first sign of life; only
 * its record is stored. `ended`: it is over.
 */
export type RunState =
  | { readonly name: "held"; readonly admission: readonly Write[] }
  | { readonly name: "admitted" | "refused" | "ended" };

const successors: Readonly<Record<RunState["name"], readonly RunState["name"][]>> = {
  held: ["admitted", "refused"],
  admitted: ["ended"],
  refused: ["ended"],
  ended: [],
};

/** The state after `from`. Throws where a run in that state cannot become `name`. */
export function nextState(from: RunState, name: "admitted" | "refused" | "ended"): RunState {
  if (!successors[from.name].includes(name)) throw new Error(`A run that is ${from.name} cannot be ${name}.`);
  return { name };
}

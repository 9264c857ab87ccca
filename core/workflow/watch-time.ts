import type { AppError } from "@pergola/sdk";
import type { ActiveRun, Parts } from "@pergola/sdk/host";
import { fault } from "../fault.ts";

type TimeLimits = Pick<Parts, "preferences">;

/** Milliseconds between two looks: a limit may be set or changed while a run is at work. */
const [shortest, longest] = [20, 1000];

const limitOf = ({ preferences }: TimeLimits): number => preferences.get<number>("runs.max_seconds");

/** The run and those above it, whose time it takes too. */
function chainOf(run: ActiveRun): readonly ActiveRun[] {
  if (run.parent === undefined) return [run];
  return [run, ...chainOf(run.parent)];
}

/** Seconds that are left to a run; none of those above it has less. */
const secondsLeft = (limit: number, run: ActiveRun): number =>
  limit - Math.max(...chainOf(run).map(({ workedSeconds }) => workedSeconds));

/** Why a run must not go on; undefined while it has time. A sub-agent also keeps to that of those above. */
export function timeOver(limits: TimeLimits, run: ActiveRun): AppError | undefined {
  const limit = limitOf(limits);
  if (limit === 0 || secondsLeft(limit, run) >= 0) return undefined;
  return fault("internal_error", `The run took longer than runs.max_seconds, ${limit}.`);
}

/** Ends the run in the middle of a step once its time is over. Returns the function that stops watching. */
export function watchTime(limits: TimeLimits, run: ActiveRun): () => void {
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const reason = timeOver(limits, run);
    if (reason !== undefined) return run.expire(reason);
    const limit = limitOf(limits);
    const left = limit === 0 ? longest : secondsLeft(limit, run) * 1000 + 1;
    timer = setTimeout(look, Math.min(longest, Math.max(shortest, left)));
    timer.unref();
  };
  look();
  return () => clearTimeout(timer);
}

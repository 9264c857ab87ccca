import type { ActiveRun, Parts } from "@pergola/sdk/host";

/** What a run may cost, in USD, and who says so; empty where nobody does. */
export function costLimits(
  { preferences }: Pick<Parts, "preferences">,
  { request }: Pick<ActiveRun, "request">,
): readonly { readonly name: string; readonly most: number }[] {
  return [
    { name: "runs.max_cost_usd", most: preferences.get<number>("runs.max_cost_usd") },
    { name: "maxCostUsd", most: request.maxCostUsd ?? 0 },
  ].filter(({ most }) => most > 0);
}

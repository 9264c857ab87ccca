import type { ModelEntry, Usage } from "@pergola/sdk";
import { costOf, sumOfCost, type StoredRun } from "@pergola/sdk/host";
import { sumOfUsage } from "./sum-of-usage.ts";

/** What a model call adds to a run, and to those above it. */
export interface Charge {
  readonly usage: Usage;
  /** USD; 0 where no price is known. */
  readonly cost: number;
  readonly hasPrice: boolean;
  readonly isEstimated: boolean;
}

export const chargeOf = (model: ModelEntry, usage: Usage, isEstimated: boolean): Charge => ({
  usage,
  cost: costOf(model, usage),
  hasPrice: model.prices !== undefined,
  isEstimated,
});

/** The fields of a record to which something is charged. */
export const charged = (record: StoredRun, { usage, cost, hasPrice, isEstimated }: Charge) => ({
  usage: sumOfUsage(record.usage, usage),
  cost: sumOfCost(record.cost, cost),
  lacksPrice: record.lacksPrice === true || !hasPrice,
  isEstimated: record.isEstimated === true || isEstimated,
});

/** Which runs to add up: those made in a span of time, each with its sub-agents. */
export interface UsageQuery {
  /** ISO 8601 in UTC; from the first on, before the second. */
  readonly from: string;
  readonly to: string;
  /** UUID or alias. */
  readonly conversationId?: string | undefined;
  /** Days are those of UTC. */
  readonly groupBy: "none" | "day" | "model" | "provider" | "conversation";
}

/** What some runs have used together. */
export interface UsageFigures {
  readonly runs: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of the runs with known prices; null where there are runs, and none of them has. */
  readonly costUsd: number | null;
  readonly runsWithoutPrice: number;
  /** Runs for which not every provider has counted the tokens. */
  readonly runsEstimated: number;
}

/** Figures by day, in their order, or by what else they are grouped, the most tokens first. */
export interface UsageReport {
  readonly total: UsageFigures;
  readonly groups: readonly (UsageFigures & { readonly key: string })[];
}

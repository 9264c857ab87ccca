import { defineOperation } from "@pergola/sdk";
import { memoryOf } from "../memory-of.ts";

export const pruneLtm = defineOperation({
  name: "prune_ltm",
  description: "Remove old or doubtful long-term memory.",
  effect: "destructive",
  place: "own",
  recovery: "repeat",
  parameters: {
    max_age_days: { type: "number", minimum: 0, default: 90 },
    min_confidence: { type: "number", minimum: 0, maximum: 1, default: 0.3 },
    max_discoveries: { type: "integer", minimum: 0, default: 50 },
    max_solutions: { type: "integer", minimum: 0, default: 50 },
    max_patterns: { type: "integer", minimum: 0, default: 30 },
  },
  examples: [
    { say: "prune long-term memory older than 30 days", arguments: { max_age_days: 30 } },
    { say: "remove long-term memory that is older than 20 days", arguments: { max_age_days: 20 } },
    { say: "prune the long-term memory", arguments: {} },
  ],
  async run({ max_age_days: maxAgeDays, min_confidence: minConfidence, ...limits }, context) {
    const most = {
      discovery: limits.max_discoveries,
      solution: limits.max_solutions,
      pattern: limits.max_patterns,
    };
    const { removed, remaining } = await memoryOf(context).prune({ maxAgeDays, minConfidence, most });
    return { data: { removed, remaining }, message: `${removed} removed.` };
  },
});

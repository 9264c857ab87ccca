import { defineOperation, type ScopedMemory } from "@pergola/sdk";
import { memoryOf } from "../memory-of.ts";

/** Kinds that only an import brings. */
const imported = async (memory: ScopedMemory, contentType: string): Promise<number> =>
  (await memory.list({ contentType, origin: "import", limit: 1 })).count;

export const ltmStats = defineOperation({
  name: "ltm_stats",
  description: "Count long-term memory.",
  effect: "read",
  parameters: {},
  examples: [
    { say: "show the long-term memory statistics", arguments: {} },
    { say: "how big is the long-term memory?", arguments: {} },
    { say: "long-term memory statistics", arguments: {} },
  ],
  async run(_, context) {
    const memory = memoryOf(context);
    const { byKind } = await memory.statistics();
    const [newest] = (await memory.list({ kinds: ["discovery", "solution", "pattern"], limit: 1 })).items;
    const counts = {
      discoveries: byKind.discovery,
      problem_solutions: byKind.solution,
      code_patterns: byKind.pattern,
      workflows: await imported(memory, "workflow"),
      failures: await imported(memory, "failure"),
      context_rules: await imported(memory, "context_rule"),
    };
    const total_entries = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { data: { ...counts, last_updated: newest?.updatedAt ?? null, total_entries } };
  },
});

import { defined, estimateTokens, textTokens } from "@pergola/sdk";
import type { Parts, StoredRun } from "@pergola/sdk/host";
import type { Reply } from "./ask-model.ts";
import type { Flow } from "./flow.ts";

type Outline = NonNullable<StoredRun["outline"]>;

/** Estimated tokens of what a call holds beside the window on its conversation. */
interface Beside {
  readonly system: number;
  /** What follows the history and is not stored. */
  readonly aside: number;
  readonly tools: number;
}

/** What the form of the answer is told by takes as much room, whether in words or in a field. */
export const tokensBeside = ({ system, late, aside, tools, output }: Flow): Beside => ({
  system:
    estimateTokens({ messages: [...system, ...late.map(({ message }) => message)], tools: [] }) +
    textTokens(output?.words ?? ""),
  aside: estimateTokens({ messages: aside, tools: [] }),
  tools: estimateTokens({ messages: [], tools }),
});

/**
 * What a call was made of, put together from what was counted for it. `added`: estimated tokens of what
 * plugins added; what they do not say of it is the block of facts.
 */
export function outlineOf(
  { told, run }: Flow,
  {
    seen,
    beside,
    added,
    asked,
  }: {
    readonly seen: ReturnType<Parts["conversations"]["outlineWindow"]>;
    readonly beside: Beside;
    readonly added: number;
    readonly asked: Reply["asked"];
  },
): Omit<Outline, "model"> {
  const memories = Math.min(told.get("memories")?.tokens ?? 0, added);
  const personality = Math.min(told.get("personality")?.tokens ?? 0, beside.system);
  return {
    system: beside.system - personality,
    personality,
    tools: beside.tools,
    block: added - memories,
    memories,
    ...defined({ promptId: told.get("system")?.id, personalityId: told.get("personality")?.id }),
    remembered: [...run.memories.values()].map(({ id, similarity }) => [id, similarity]),
    offered: asked.tools.map(({ name }) => name),
    sampling: asked.sampling,
    ...seen,
    ...(beside.aside > 0 && { history: seen.history + beside.aside }),
  };
}

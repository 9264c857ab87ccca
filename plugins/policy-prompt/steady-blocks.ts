import type { ModelCall, RunContext, Todo } from "@pergola/sdk";
import { BlockPlace, type MiniPrompt, type PlacedBlock } from "@pergola/sdk/host";
import type { ContextWriter } from "./context-block.ts";

/** Milliseconds for which providers keep what was not used in their caches. */
const cacheLife = 5 * 60_000;
/** Milliseconds after which a block tells a new time. */
const longestLife = 60 * 60_000;

interface Steady {
  readonly place: BlockPlace;
  readonly text: string;
  /** When it was written, and for which run as it stood then. */
  readonly moment: number;
  readonly context: RunContext;
  usedAt: number;
}

/** How near the limit is: the model is told again at a half, at a quarter, and for the last five and one. */
function stageOf({ iteration, maxIterations }: RunContext): number {
  const left = maxIterations - iteration;
  return [maxIterations / 2, maxIterations / 4, 5, 1].filter((most) => left <= most).length;
}

/**
 * The blocks of the runs at work. A block is as it was at the call before while that is true enough: a call
 * then begins with all that the one before held, and a provider reads it from its cache.
 */
export class SteadyBlocks {
  readonly #write: ContextWriter;
  readonly #blocks = new Map<string, Steady>();

  constructor(write: ContextWriter) {
    this.#write = write;
  }

  blockFor(
    call: ModelCall,
    context: RunContext,
    more: {
      readonly now: number;
      readonly instructions: readonly MiniPrompt[] | undefined;
      readonly todos: readonly Todo[] | undefined;
    },
  ): PlacedBlock {
    const { now } = more;
    const additions = { ...more, tools: call.tools };
    const known = this.#blocks.get(context.runId);
    if (known?.place.isIn(call) === true && this.#isTrue(known, context, additions)) {
      known.usedAt = now;
      return { text: known.text, index: known.place.index };
    }
    const place = known?.place.isIn(call) === true ? known.place : new BlockPlace(call);
    const text = this.#write(now, context, additions);
    this.#blocks.set(context.runId, { place, text, moment: now, context, usedAt: now });
    return { text, index: place.index };
  }

  /** Whether nothing has changed but the time, the iteration and the title, and those not by much. */
  #isTrue(
    { text, moment, context: before, usedAt }: Steady,
    context: RunContext,
    additions: Parameters<ContextWriter>[2] & { readonly now: number },
  ): boolean {
    const { now } = additions;
    if (now - usedAt > cacheLife || now - moment > longestLife) return false;
    if (stageOf(context) !== stageOf(before)) return false;
    const { title, titleSetBy } = before.conversation;
    const conversation = { ...context.conversation, title, titleSetBy };
    const { iteration } = before;
    return this.#write(moment, { ...context, conversation, iteration }, additions) === text;
  }

  delete(runId: string): void {
    this.#blocks.delete(runId);
  }
}

import type { Json, ToolContext } from "@pergola/sdk";

interface CachedAnswer {
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Characters of its JSON. */
  readonly size: number;
  readonly answer: unknown;
}

/** Characters of all answers together. */
const most = 8_000_000;
const answers = new Map<string, CachedAnswer>();

function store(key: string, entry: CachedAnswer, now: number): void {
  answers.delete(key);
  answers.set(key, entry);
  let size = [...answers.values()].reduce((sum, one) => sum + one.size, 0);
  for (const [oldest, one] of answers) {
    if (size <= most && one.until > now) continue;
    answers.delete(oldest);
    size -= one.size;
  }
}

/**
 * The answer that the same request had within `tools.web.cache_seconds` in the same scope, else a new one.
 * Failures are not cached. Answers live in the process only, the oldest go first.
 */
export async function cached<T>(
  context: ToolContext,
  request: readonly Json[],
  ask: () => Promise<T>,
): Promise<T> {
  const seconds = Number((await context.preference("tools.web.cache_seconds")) ?? 30);
  const key = JSON.stringify([context.scope, ...request]);
  const known = answers.get(key);
  if (known !== undefined && known.until > context.clock.now() && seconds > 0) return known.answer as T;
  const answer = await ask();
  const now = context.clock.now();
  if (seconds > 0)
    store(key, { until: now + seconds * 1000, size: JSON.stringify(answer).length, answer }, now);
  return answer;
}

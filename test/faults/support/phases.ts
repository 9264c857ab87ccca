import type { MockRequest } from "@pergola/sdk/testing";
import { planOf } from "./plan.ts";
import type { Service } from "./service.ts";

/** What a kill may hit. */
export const phases = ["model", "stream", "started", "done", "approval", "chat", "write"] as const;
export type Phase = (typeof phases)[number];

/** Model calls that are open at the moment. */
export class ModelCalls {
  readonly #open = new Set<{ readonly firstByte: number }>();
  #next: () => void = () => undefined;

  watch(request: MockRequest): void {
    const call = { firstByte: performance.now() + (planOf(request).plan.think ?? 0) };
    this.#open.add(call);
    this.#next();
    void request.outcome.then(() => this.#open.delete(call));
  }

  /** Resolves when the next one comes. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => (this.#next = resolve));
  }

  /** Whether one waits for its first byte, and whether one is in the middle of its answer. */
  phases(): readonly Phase[] {
    const now = performance.now();
    const open = [...this.#open];
    return [
      ...(open.some(({ firstByte }) => now < firstByte) ? (["model"] as const) : []),
      ...(open.some(({ firstByte }) => now >= firstByte) ? (["stream"] as const) : []),
    ];
  }
}

/**
 * Calls that are at work: before their effect, or after it. `from`: how many traces there were when the host
 * started.
 */
export function callPhases(service: Service, from: number): readonly Phase[] {
  const last = new Map(
    service
      .traces()
      .slice(from)
      .map(({ callId, word }) => [callId, word]),
  );
  const words = new Set(last.values());
  return [
    ...(words.has("begin") ? (["started"] as const) : []),
    ...(words.has("effect") ? (["done"] as const) : []),
  ];
}

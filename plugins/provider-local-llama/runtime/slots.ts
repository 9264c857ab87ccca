import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp";

/**
 * The sequences of a context: each holds one answer at a time, and what it has read stays for the next one.
 */
export class Slots {
  readonly #free: LlamaContextSequence[];
  readonly #waiting: (() => void)[] = [];

  constructor(context: LlamaContext) {
    this.#free = Array.from({ length: context.totalSequences }, () => context.getSequence());
  }

  /**
   * Works with the free sequence that has read the longest beginning of these tokens, after waiting until one
   * is free.
   */
  async use<T>(
    tokens: readonly Token[],
    signal: AbortSignal,
    work: (sequence: LlamaContextSequence) => Promise<T>,
  ): Promise<T> {
    while (this.#free.length === 0) await this.#turn(signal);
    signal.throwIfAborted();
    const sequence = this.#best(tokens);
    try {
      return await work(sequence);
    } finally {
      this.#free.push(sequence);
      this.#waiting.shift()?.();
    }
  }

  /**
   * What is less than half of a prompt, and of what a sequence holds, is a chance likeness: then it is the
   * one that is unused for longest.
   */
  #best(tokens: readonly Token[]): LlamaContextSequence {
    const shared = this.#free.map((sequence) => {
      const { firstDifferentIndex } = sequence.compareContextTokens([...tokens]);
      if (firstDifferentIndex * 2 < Math.min(sequence.nextTokenIndex, tokens.length)) return 0;
      return firstDifferentIndex;
    });
    return this.#free.splice(shared.indexOf(Math.max(...shared)), 1)[0]!;
  }

  #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(begin);
    });
  }
}

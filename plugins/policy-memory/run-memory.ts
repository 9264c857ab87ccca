import type { RunContext } from "@pergola/sdk";
import { memoryBlock } from "./memory-block.ts";
import { recollect, type Recollection, type Sources } from "./recollect.ts";

/** Milliseconds that the first call waits for the vector of its question; then its words alone decide. */
const patience = 2;

/**
 * What is remembered, for the calls of one run: looked up once, and once more where the first call could not
 * wait for the vector of the question.
 */
export class RunMemory {
  readonly text: string;
  readonly #sources: Sources;
  readonly #context: RunContext;
  readonly #begun: string;
  readonly #first: Promise<string>;
  #isWordsOnly = false;
  #firstIteration: number | undefined;
  #whole: Promise<string> | undefined;

  /** `text` is the question; what is stored after `begun`, ISO 8601 in UTC, is no answer to it. */
  constructor(
    sources: Sources,
    context: RunContext,
    { text, begun }: { readonly text: string; readonly begun: string },
  ) {
    this.text = text;
    this.#sources = sources;
    this.#context = context;
    this.#begun = begun;
    let isLate: Promise<boolean> | undefined;
    const wordsOnly = (): Promise<boolean> => (isLate ??= this.#isLate());
    this.#first = recollect(sources, context, { text, wordsOnly }).then((found) =>
      memoryBlock(found, context),
    );
    // A run may end before its first call asks for it.
    this.#first.catch(() => undefined);
  }

  /** The block for the call of an iteration. */
  async block(iteration: number): Promise<string> {
    this.#firstIteration ??= iteration;
    const first = await this.#first;
    if (!this.#isWordsOnly || iteration === this.#firstIteration) return first;
    this.#whole ??= this.#lookAgain();
    return this.#whole;
  }

  /** Whether the vector is not there in time. */
  async #isLate(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, patience, true)));
    const made = this.#sources.memory.prepare(this.text).then(() => false);
    this.#isWordsOnly = await Promise.race([made, late]);
    clearTimeout(timer);
    return this.#isWordsOnly;
  }

  async #lookAgain(): Promise<string> {
    const question = { text: this.text, wordsOnly: async () => false };
    const { memories, longTerm, ...others } = await recollect(this.#sources, this.#context, question);
    const known = (items: Recollection["memories"]) =>
      items.filter(({ updatedAt }) => updatedAt <= this.#begun);
    return memoryBlock({ ...others, memories: known(memories), longTerm: known(longTerm) }, this.#context);
  }
}

import type { RunContext } from "@pergola/sdk";
import { memoryBlock, withoutLines, type MemoryBlock } from "./memory-block.ts";
import { recollect, type Fitting, type Sources } from "./recollect.ts";

/**
 * Milliseconds after which the vector of a question is begun: by then the model has been asked, and nothing
 * that the person waits for has to share the processor with it.
 */
const delay = 50;

/** Questions that are remembered to have vectors; memory keeps those of somewhat more texts. */
const mostPrepared = 200;

/** The questions of runs that have vectors already, the last ones. */
export class PreparedQuestions {
  readonly #texts = new Set<string>();

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  add(text: string): void {
    this.#texts.delete(text);
    this.#texts.add(text);
    const [oldest = ""] = this.#texts;
    if (this.#texts.size > mostPrepared) this.#texts.delete(oldest);
  }
}

/**
 * What is remembered, for the calls of one run: looked up once, and once more for the second call where the
 * first one would have had to wait for the vector of the question.
 */
export class RunMemory {
  readonly text: string;
  /** The block for all calls. */
  readonly first: Promise<MemoryBlock>;
  readonly #sources: Sources;
  readonly #context: RunContext;
  readonly #prepared: PreparedQuestions;
  readonly #begun: string;
  #timer: NodeJS.Timeout | undefined;
  #isWordsOnly = false;
  #firstIteration: number | undefined;
  #late: Promise<MemoryBlock> | undefined;

  /** `text` is the question; what is stored after `begun`, ISO 8601 in UTC, is no answer to it. */
  constructor(
    sources: Sources & { readonly prepared: PreparedQuestions },
    context: RunContext,
    { text, begun }: { readonly text: string; readonly begun: string },
  ) {
    this.text = text;
    this.#sources = sources;
    this.#context = context;
    this.#prepared = sources.prepared;
    this.#begun = begun;
    const wordsOnly = async (): Promise<boolean> => this.#prepareLater();
    const question = { text, trace: context.trace, wordsOnly };
    this.first = recollect(sources, context, question).then((found) => memoryBlock(found, context));
    // A run may end before its first call asks for it.
    this.first.catch(() => undefined);
  }

  /** The block of what was found too late for the first call, for those after it. */
  async late(iteration: number): Promise<MemoryBlock | undefined> {
    this.#firstIteration ??= iteration;
    const first = await this.first;
    if (!this.#isWordsOnly || iteration === this.#firstIteration) return undefined;
    this.#late ??= this.#lookAgain().then((whole) => withoutLines(whole, first));
    return this.#late;
  }

  /** The run has ended. */
  close(): void {
    clearTimeout(this.#timer);
  }

  /** False where the vector is there. */
  #prepareLater(): boolean {
    if (this.#isWordsOnly || this.#prepared.has(this.text)) return this.#isWordsOnly;
    this.#isWordsOnly = true;
    this.#timer = setTimeout(() => void this.#prepare(), delay);
    this.#timer.unref();
    return true;
  }

  async #prepare(): Promise<void> {
    await this.#sources.memory.prepare({ query: this.text, trace: this.#context.trace });
    this.#prepared.add(this.text);
  }

  async #lookAgain(): Promise<MemoryBlock> {
    clearTimeout(this.#timer);
    const { trace } = this.#context;
    const question = { text: this.text, trace, wordsOnly: async () => false };
    const { memories, longTerm, ...others } = await recollect(this.#sources, this.#context, question);
    this.#prepared.add(this.text);
    const known = <T extends Fitting>(items: readonly T[]): readonly T[] =>
      items.filter(({ item }) => item.updatedAt <= this.#begun);
    return memoryBlock({ ...others, memories: known(memories), longTerm: known(longTerm) }, this.#context);
  }
}

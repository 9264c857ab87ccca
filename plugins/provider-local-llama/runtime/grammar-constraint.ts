import { LlamaGrammarEvaluationState, type LlamaGrammar } from "node-llama-cpp";
import type { LoadedModel } from "./load-model.ts";

export interface Grammars {
  /** What follows the opening mark of a call. */
  readonly calls: (() => string) | undefined;
  /** The whole answer. */
  readonly answer: string | undefined;
}

/** The grammar that holds the next tokens, if any. */
export class GrammarConstraint {
  readonly #loaded: LoadedModel;
  readonly #grammars: Grammars;
  #calls: Promise<LlamaGrammar> | undefined;
  state: LlamaGrammarEvaluationState | undefined;

  constructor(loaded: LoadedModel, grammars: Grammars) {
    this.#loaded = loaded;
    this.#grammars = grammars;
  }

  async constrainCall(): Promise<void> {
    if (this.#grammars.calls === undefined) return;
    this.#calls ??= this.#loaded.llama.createGrammar({ grammar: this.#grammars.calls() });
    this.state = new LlamaGrammarEvaluationState({ model: this.#loaded.model, grammar: await this.#calls });
  }

  async constrainAnswer(): Promise<void> {
    if (this.#grammars.answer === undefined) return;
    const grammar = await this.#loaded.llama.createGrammar({ grammar: this.#grammars.answer });
    this.state = new LlamaGrammarEvaluationState({ model: this.#loaded.model, grammar });
  }

  release(): void {
    this.state = undefined;
  }
}

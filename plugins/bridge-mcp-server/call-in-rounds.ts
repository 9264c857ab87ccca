import type { CallAnswer } from "./call-tool.ts";
import type { ClientCall, Form, FormAnswer } from "./client.ts";

interface Question {
  readonly form: Form;
  readonly resolve: (answer: FormAnswer) => void;
}

/** What a request is answered with: the call's answer, or questions by their keys. */
export type Outcome = { readonly answer: CallAnswer } | { readonly questions: ReadonlyMap<string, Form> };

/** What one request of a client has to do with a call. */
export type Round = Pick<ClientCall, "signal" | "progress">;

/** A call that its client sees in several requests: each ends with the call's answer or with questions. */
export class CallInRounds {
  readonly #cancel = new AbortController();
  readonly #questions = new Map<string, Question>();
  readonly #result: Promise<CallAnswer>;
  #count = 0;
  #round: Round | undefined;
  #asked: () => void = () => undefined;

  /** `ask` of the call that is begun is absent where the client cannot ask its person. */
  constructor(
    begin: (call: Pick<ClientCall, "signal" | "ask" | "progress">) => Promise<CallAnswer>,
    canAsk: boolean,
  ) {
    this.#result = begin({
      signal: this.#cancel.signal,
      ask: canAsk ? (form, signal) => this.#ask(form, signal) : undefined,
      progress: (text) => this.#round?.progress(text),
    });
    this.#result.catch(() => undefined);
  }

  /** Hands over what the client's person has answered; a question without an answer stays open. */
  answer(answerTo: (key: string) => FormAnswer | undefined): void {
    for (const [key, { resolve }] of this.#questions) {
      const answer = answerTo(key);
      if (answer === undefined) continue;
      this.#questions.delete(key);
      resolve(answer);
    }
  }

  /** Resolves when the call has ended or asks. A request that is cancelled cancels the call. */
  async next(round: Round): Promise<Outcome> {
    const leave = (): void => this.cancel();
    round.signal.addEventListener("abort", leave, { once: true });
    if (round.signal.aborted) leave();
    this.#round = round;
    try {
      let answer: CallAnswer | undefined;
      while (answer === undefined && this.#questions.size === 0)
        answer = await Promise.race([this.#result, this.#untilAsked()]);
      if (answer !== undefined) return { answer };
      return { questions: new Map([...this.#questions].map(([key, { form }]) => [key, form])) };
    } finally {
      this.#round = undefined;
      round.signal.removeEventListener("abort", leave);
    }
  }

  cancel(): void {
    this.#cancel.abort();
  }

  #untilAsked(): Promise<undefined> {
    return new Promise((resolve) => (this.#asked = () => resolve(undefined)));
  }

  #ask(form: Form, signal: AbortSignal): Promise<FormAnswer> {
    return new Promise((resolve) => {
      const key = `question-${(this.#count += 1)}`;
      this.#questions.set(key, { form, resolve });
      const close = (): void => {
        this.#questions.delete(key);
        resolve("dismissed");
      };
      signal.addEventListener("abort", close, { once: true });
      if (signal.aborted) close();
      else this.#asked();
    });
  }
}

import type {
  AnswerEvents,
  AnswerFault,
  AnswerPart,
  FinishReason,
  ModelEvent,
  PartReader,
  Usage,
} from "@pergola/sdk";

const reasons: Readonly<Record<string, FinishReason>> = {
  done: "stop",
  room: "length",
  taste: "content_filter",
};

/** Reads `{"words"}`, then `{"over", "counted"}`; `{"trouble"}` instead of them. */
export class ParleyReader implements PartReader {
  readonly #events: AnswerEvents;
  #reason: FinishReason | undefined;
  #usage: Usage | undefined;
  fault: AnswerFault | undefined;

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  get finished(): boolean {
    return this.#reason !== undefined;
  }

  get complete(): boolean {
    return this.finished;
  }

  read(part: AnswerPart): boolean {
    const { words, over, counted, trouble } = part;
    if (trouble !== undefined) this.fault = { error: part };
    if (typeof words === "string") this.#events.addText("text", words);
    if (typeof over === "string") this.#reason = reasons[over] ?? "stop";
    if (typeof counted === "object" && counted !== null) this.#usage = usageOf(counted as AnswerPart);
    return true;
  }

  readWhole(document: AnswerPart): boolean {
    return "words" in document && this.read({ over: "done", ...document });
  }

  end(): readonly ModelEvent[] {
    const end: ModelEvent = { type: "end", reason: this.#reason ?? "stop" };
    if (this.#usage === undefined) return [end];
    return [{ type: "usage", usage: this.#usage }, end];
  }
}

const usageOf = ({ heard, known, said, thought }: AnswerPart): Usage => ({
  promptTokens: Number(heard),
  completionTokens: Number(said),
  ...(known !== undefined && { cachedTokens: Number(known) }),
  ...(thought !== undefined && { reasoningTokens: Number(thought) }),
});

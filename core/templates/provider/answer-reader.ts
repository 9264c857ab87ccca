import type {
  AnswerEvents,
  AnswerFault,
  AnswerPart,
  FailureDetails,
  FinishReason,
  ModelEvent,
  PartReader,
  Usage,
} from "@pergola/sdk";

interface Choice {
  readonly delta?: { readonly content?: string | null };
  readonly message?: { readonly content?: string | null };
  readonly finish_reason?: string | null;
}

interface Part {
  readonly model?: string;
  readonly choices?: readonly Choice[];
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number };
    readonly completion_tokens_details?: { readonly reasoning_tokens?: number };
  } | null;
  readonly error?: unknown;
}

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  content_filter: "content_filter",
};

/** Reads the parts of one answer: text, then the reason for its end, then its usage. */
export class AnswerReader implements PartReader {
  readonly endMark = "[DONE]";
  readonly #events: AnswerEvents;
  #reason: FinishReason | undefined;
  #usage: Usage | undefined;
  #model: string | undefined;
  fault: AnswerFault | undefined;

  constructor(events: AnswerEvents) {
    this.#events = events;
  }

  get finished(): boolean {
    return this.#reason !== undefined;
  }

  read(part: AnswerPart): boolean {
    const { choices: [choice] = [], usage, model, error } = part as Part;
    this.#model ??= model;
    if (error !== undefined) this.fault = { error: part };
    if (choice !== undefined) this.#readChoice(choice);
    if (usage) this.#usage = usageOf(usage);
    return true;
  }

  /** An answer that is not streamed has a message in the place of pieces. */
  #readChoice({ delta, message, finish_reason: reason }: Choice): void {
    this.#events.addText("text", (delta ?? message)?.content ?? "");
    if (reason) this.#reason = reasons[reason] ?? "stop";
  }

  readWhole(document: AnswerPart): boolean {
    return "choices" in document && this.read(document);
  }

  end(): readonly ModelEvent[] {
    const model = this.#model;
    const end: ModelEvent = {
      type: "end",
      reason: this.#reason ?? "stop",
      ...(model !== undefined && { model }),
    };
    if (this.#usage === undefined) return [end];
    return [{ type: "usage", usage: this.#usage }, end];
  }
}

function usageOf(usage: NonNullable<Part["usage"]>): Usage {
  const cached = usage.prompt_tokens_details?.cached_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    ...(cached !== undefined && { cachedTokens: cached }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

/** What a refusal says: `{"error": {"message": "…", "code": 429}}`. */
export function readError({ error }: AnswerPart): FailureDetails {
  const { message, code } = (error ?? {}) as AnswerPart;
  return {
    message: typeof message === "string" ? message : "",
    ...(typeof code === "number" && { status: code }),
  };
}

import {
  LlamaText,
  SpecialTokensText,
  type LlamaContextSequence,
  type SequenceEvaluateOptions,
  type Token,
} from "node-llama-cpp";
import { AppError, type ModelEvent, type OfferedTool, type Sampling } from "@pergola/sdk";
import type { ChatTurn } from "../messages.ts";
import { AnswerReader, type Step } from "./answer-reader.ts";
import { GrammarHold } from "./grammar-hold.ts";
import type { LoadedModel } from "./load-model.ts";
import { callStart, thoughts } from "./marks.ts";
import { readPrompt } from "./read-prompt.ts";
import { renderPrompt } from "./render-prompt.ts";
import type { Slots } from "./slots.ts";
import { TokenDecoder } from "./token-decoder.ts";
import { answerGrammar, toolGrammar } from "./tool-grammar.ts";

interface Prompt {
  readonly tokens: readonly Token[];
  readonly tools: readonly OfferedTool[];
  /** A call must come. */
  readonly forced: boolean;
  readonly begun?: "reasoning" | "call";
}

/** One answer: the prompt is read, then the answer is written and told token by token. */
export async function chat(
  loaded: LoadedModel,
  slots: Slots,
  turn: ChatTurn,
  signal: AbortSignal,
  tell: (event: ModelEvent) => void,
): Promise<void> {
  const prompt = promptOf(loaded, turn);
  const { contextSize, model } = loaded;
  const room = contextSize - prompt.tokens.length;
  if (room < 1) throw tooLong(prompt.tokens.length, contextSize);
  await slots.use(prompt.tokens, signal, async (sequence) => {
    const cachedTokens = await readPrompt(sequence, prompt.tokens, loaded.options.batchSize, signal);
    const reader = new AnswerReader(
      {
        calls: prompt.tools.length > 0,
        stops: stopsOf(turn.sampling),
        ...(prompt.begun === undefined ? {} : { begun: prompt.begun }),
      },
      tell,
    );
    const limit = Math.min(turn.sampling.maxTokens ?? room, room);
    const hold = new GrammarHold(loaded, {
      calls: prompt.tools.length > 0 ? () => toolGrammar(prompt.tools) : undefined,
      answer: prompt.tools.length > 0 ? undefined : answerGrammar(turn.sampling.responseFormat),
    });
    if (prompt.begun === "call") await hold.holdCall();
    else if (prompt.begun === undefined) await hold.holdAnswer();
    const { count, ended } = await write(
      { sequence, reader, hold, prompt, limit, signal, decoder: new TokenDecoder(model) },
      turn.sampling,
    );
    reader.end();
    const usage = { promptTokens: prompt.tokens.length, completionTokens: count, cachedTokens };
    tell({ type: "usage", usage });
    tell({ type: "end", reason: reader.calls > 0 ? "tool_calls" : ended ? "stop" : "length" });
  });
}

interface Writing {
  readonly sequence: LlamaContextSequence;
  readonly reader: AnswerReader;
  readonly hold: GrammarHold;
  readonly prompt: Prompt;
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly decoder: TokenDecoder;
}

/** Writes up to so many tokens. `ended`: it came to an end by itself. */
async function write(
  writing: Writing,
  sampling: Sampling,
): Promise<{ readonly count: number; readonly ended: boolean }> {
  const { sequence, reader, hold, prompt, limit, signal, decoder } = writing;
  const written: Token[] = [];
  const last = prompt.tokens.slice(-1);
  const answer = sequence.evaluate(last, {
    ...samplerOf(sampling, written),
    grammarEvaluationState: () => hold.state,
  });
  const one = prompt.forced || sampling.parallelToolCalls === false;
  let replacement: Token[] | undefined;
  try {
    while (written.length < limit) {
      const next = await (replacement === undefined ? answer.next() : answer.next(replacement));
      signal.throwIfAborted();
      if (next.done === true) return { count: written.length, ended: true };
      written.push(next.value);
      const text = decoder.push(next.value);
      const step = reader.push(text);
      replacement = await follow(step, text, writing);
      if (step.type === "stop" || (step.type === "called" && one))
        return { count: written.length, ended: true };
    }
    return { count: written.length, ended: false };
  } finally {
    await answer.return();
  }
}

/**
 * Holds a call that begins to the tools' grammar; the tokens that stand for the newest one, where that has
 * begun the call's inside already.
 */
async function follow(step: Step, text: string, { hold, sequence }: Writing): Promise<Token[] | undefined> {
  if (step.type === "called") hold.release();
  if (step.type !== "call") return undefined;
  await hold.holdCall();
  return step.rest.trim() === ""
    ? undefined
    : sequence.model.tokenize(text.slice(0, -step.rest.length), true, "trimLeadingSpace");
}

function promptOf({ model, contextSize }: LoadedModel, turn: ChatTurn): Prompt {
  const { tools, forced } = offered(turn);
  const { chat_template: template } = (model.fileInfo.metadata.tokenizer ?? {}) as {
    readonly chat_template?: string;
  };
  const [bos, eos] = [model.tokens.bosString ?? "", model.tokens.eosString ?? ""];
  const pieces = renderPrompt(turn, tools, forced, { template, bos, eos });
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
  // No vocabulary has tokens of so many characters on average; so nothing huge is cut into tokens for
  // nothing.
  if (length > contextSize * 64) throw tooLong(Math.ceil(length / 64), contextSize);
  const end = pieces.at(-1)?.text.trimEnd() ?? "";
  const thinking = thoughts.find(({ start }) => end.endsWith(start));
  const opening = forced ? `${thinking === undefined ? "" : `\n${thinking.end}\n\n`}${callStart}\n` : "";
  const text = LlamaText([
    ...pieces.map(({ text: each, trusted }) => SpecialTokensText.wrapIf(trusted, each)),
    new SpecialTokensText(opening),
  ]);
  const tokens = text.tokenize(model.tokenizer);
  const first = model.tokens.bos;
  const whole =
    first !== null && model.tokens.shouldPrependBosToken && tokens[0] !== first ? [first, ...tokens] : tokens;
  const begun = forced ? "call" : thinking === undefined ? undefined : "reasoning";
  return { tokens: whole, tools, forced, ...(begun === undefined ? {} : { begun }) };
}

/** The tools that may be called, and whether one must be. */
function offered({ tools, sampling }: ChatTurn): {
  readonly tools: readonly OfferedTool[];
  readonly forced: boolean;
} {
  const { toolChoice } = sampling;
  if (toolChoice === "none" || tools.length === 0) return { tools: [], forced: false };
  if (toolChoice === "required") return { tools, forced: true };
  const named = (toolChoice as { readonly function?: { readonly name?: unknown } } | undefined)?.function
    ?.name;
  const chosen = tools.filter(({ name }) => name === named);
  return chosen.length > 0 ? { tools: chosen, forced: true } : { tools, forced: false };
}

const stopsOf = ({ stop }: Sampling): readonly string[] => [stop ?? []].flat().filter((word) => word !== "");

function samplerOf(sampling: Sampling, written: readonly Token[]): SequenceEvaluateOptions {
  const { temperature, topP, seed, repetitionPenalty, presencePenalty, frequencyPenalty } = sampling;
  const penal = { penalty: repetitionPenalty, presencePenalty, frequencyPenalty };
  const isPenal = Object.values(penal).some((value) => value !== undefined && value !== 0);
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(isPenal ? { repeatPenalty: { ...defined(penal), punishTokens: () => written.slice(-64) } } : {}),
  };
}

const defined = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

const tooLong = (tokens: number, contextSize: number): AppError =>
  new AppError({
    code: "context_length_exceeded",
    message: `The messages have ${tokens} tokens, but the model's context holds ${contextSize}. Shorten them, or raise local.context_size.`,
    details: { promptTokens: tokens, contextSize },
  });

import {
  LlamaText,
  SpecialTokensText,
  type LlamaContextSequence,
  type SequenceEvaluateOptions,
  type Token,
} from "node-llama-cpp";
import { AppError, defined, type ModelEvent, type OfferedTool, type Sampling } from "@pergola/sdk";
import { finishReasonOf, readToolChoice } from "@pergola/kit-provider";
import type { ChatTurn } from "../messages.ts";
import { AnswerReader, type AnswerOptions, type Step } from "./answer-reader.ts";
import { GrammarConstraint } from "./grammar-constraint.ts";
import type { LoadedModel } from "./load-model.ts";
import { callStart, thoughts } from "./marks.ts";
import { readPrompt } from "./read-prompt.ts";
import { renderPrompt } from "./render-prompt.ts";
import type { Piece } from "./sealed-texts.ts";
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

/** What an answer needs beside the loaded model. */
export interface ChatOptions {
  readonly slots: Slots;
  readonly signal: AbortSignal;
  readonly emit: (event: ModelEvent) => void;
}

/** One answer: the prompt is read, then the answer is written and handed on token by token. */
export async function chat(loaded: LoadedModel, turn: ChatTurn, options: ChatOptions): Promise<void> {
  const prompt = promptOf(loaded, turn);
  if (prompt.tokens.length >= loaded.contextSize) throw tooLong(prompt.tokens.length, loaded.contextSize);
  await options.slots.use(prompt.tokens, options.signal, (sequence) =>
    answer({ loaded, sequence, prompt, sampling: turn.sampling }, options),
  );
}

interface Task {
  readonly loaded: LoadedModel;
  readonly sequence: LlamaContextSequence;
  readonly prompt: Prompt;
  readonly sampling: Sampling;
}

async function answer(task: Task, { signal, emit }: ChatOptions): Promise<void> {
  const { loaded, sequence, prompt, sampling } = task;
  const { tokens } = prompt;
  const cachedTokens = await readPrompt(sequence, tokens, loaded.options.batchSize, signal);
  const reader = new AnswerReader(readerOptions(prompt, sampling), emit);
  const room = loaded.contextSize - tokens.length;
  const constraint = await constraintOf(task);
  const decoder = new TokenDecoder(loaded.model);
  const limit = Math.min(sampling.maxTokens ?? room, room);
  const { count, ended } = await write(
    { sequence, reader, constraint, prompt, limit, signal, decoder },
    sampling,
  );
  reader.end();
  emit({ type: "usage", usage: { promptTokens: tokens.length, completionTokens: count, cachedTokens } });
  emit({ type: "end", reason: finishReasonOf(ended ? "stop" : "length", reader.calls) });
}

const readerOptions = ({ tools, begun }: Prompt, { stop }: Sampling): AnswerOptions =>
  defined({
    calls: tools.length > 0,
    stops: [stop ?? []].flat().filter((text) => text !== ""),
    begun,
  });

/** The grammar that the answer begins under. */
async function constraintOf({ loaded, prompt, sampling }: Task): Promise<GrammarConstraint> {
  const { tools, begun } = prompt;
  const hasTools = tools.length > 0;
  const constraint = new GrammarConstraint(loaded, {
    calls: hasTools ? () => toolGrammar(tools) : undefined,
    answer: hasTools ? undefined : answerGrammar(sampling.responseFormat),
  });
  if (begun === "call") await constraint.constrainCall();
  else if (begun === undefined) await constraint.constrainAnswer();
  return constraint;
}

interface Writing {
  readonly sequence: LlamaContextSequence;
  readonly reader: AnswerReader;
  readonly constraint: GrammarConstraint;
  readonly prompt: Prompt;
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly decoder: TokenDecoder;
}

/** Writes up to `limit` tokens. `ended`: the answer ended by itself. */
async function write(
  writing: Writing,
  sampling: Sampling,
): Promise<{ readonly count: number; readonly ended: boolean }> {
  const { sequence, reader, constraint, prompt, limit, signal, decoder } = writing;
  const written: Token[] = [];
  const last = prompt.tokens.slice(-1);
  const answer = sequence.evaluate(last, {
    ...samplerOf(sampling, written),
    grammarEvaluationState: () => constraint.state,
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
 * Holds a call that begins to the tools' grammar. Gives the tokens that replace the newest one where that has
 * already begun the inside of the call.
 */
async function follow(
  step: Step,
  text: string,
  { constraint, sequence }: Writing,
): Promise<Token[] | undefined> {
  if (step.type === "called") constraint.release();
  if (step.type !== "call") return undefined;
  await constraint.constrainCall();
  if (step.rest.trim() === "") return undefined;
  return sequence.model.tokenize(text.slice(0, -step.rest.length), true, "trimLeadingSpace");
}

function promptOf(loaded: LoadedModel, turn: ChatTurn): Prompt {
  const { model, contextSize } = loaded;
  const { tools, forced } = offeredTools(turn);
  const { chat_template: template } = (model.fileInfo.metadata.tokenizer ?? {}) as {
    readonly chat_template?: string;
  };
  const { bosString, eosString } = model.tokens;
  const format = { template, bos: bosString ?? "", eos: eosString ?? "" };
  const pieces = renderPrompt(turn, tools, forced, format);
  checkLength(pieces, contextSize);
  const end = pieces.at(-1)?.text.trimEnd() ?? "";
  const thinking = thoughts.find(({ start }) => end.endsWith(start));
  const tokens = tokensOf(loaded, pieces, forced ? callOpening(thinking?.end) : "");
  const prompt = { tokens, tools, forced };
  if (forced) return { ...prompt, begun: "call" };
  if (thinking === undefined) return prompt;
  return { ...prompt, begun: "reasoning" };
}

/** No vocabulary has tokens of 64 characters on average, so nothing huge is cut into tokens in vain. */
function checkLength(pieces: readonly Piece[], contextSize: number): void {
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
  if (length > contextSize * 64) throw tooLong(Math.ceil(length / 64), contextSize);
}

/** Begins a call, after the end of thoughts that the template has begun. */
function callOpening(thoughtsEnd: string | undefined): string {
  if (thoughtsEnd === undefined) return `${callStart}\n`;
  return `\n${thoughtsEnd}\n\n${callStart}\n`;
}

function tokensOf({ model }: LoadedModel, pieces: readonly Piece[], opening: string): readonly Token[] {
  const text = LlamaText([
    ...pieces.map((piece) => SpecialTokensText.wrapIf(piece.trusted, piece.text)),
    new SpecialTokensText(opening),
  ]);
  const tokens = text.tokenize(model.tokenizer);
  const { bos, shouldPrependBosToken } = model.tokens;
  if (bos === null || !shouldPrependBosToken || tokens[0] === bos) return tokens;
  return [bos, ...tokens];
}

/** The tools that may be called, and whether one must be. */
function offeredTools({ tools, sampling }: ChatTurn): Pick<Prompt, "tools" | "forced"> {
  const choice = readToolChoice(sampling.toolChoice);
  if (choice?.mode === "none" || tools.length === 0) return { tools: [], forced: false };
  if (choice?.mode === "required") return { tools, forced: true };
  const named = tools.filter(({ name }) => name === choice?.name);
  if (named.length === 0) return { tools, forced: false };
  return { tools: named, forced: true };
}

function samplerOf(sampling: Sampling, written: readonly Token[]): SequenceEvaluateOptions {
  const { temperature, topP, seed, repetitionPenalty, presencePenalty, frequencyPenalty } = sampling;
  const penalties = defined({ penalty: repetitionPenalty, presencePenalty, frequencyPenalty });
  const hasPenalty = Object.values(penalties).some((value) => value !== 0);
  const repeatPenalty = { ...penalties, punishTokens: () => written.slice(-64) };
  return defined({
    temperature,
    topP,
    seed,
    repeatPenalty: hasPenalty ? repeatPenalty : undefined,
  });
}

const tooLong = (tokens: number, contextSize: number): AppError =>
  new AppError({
    code: "context_length_exceeded",
    message:
      `The messages have ${tokens} tokens, but the model's context holds ${contextSize}. ` +
      "Shorten them, or raise local.context_size.",
    details: { promptTokens: tokens, contextSize },
  });

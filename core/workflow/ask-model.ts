import {
  TextFilter,
  type AppError,
  type ChatMessage,
  type FinishReason,
  type ModelCall,
  type ModelEvent,
  type RunContext,
  type StreamRedactor,
  type TextPiece,
  type ToolCall,
  type Usage,
} from "@pergola/sdk";
import type { Parts } from "../parts.ts";
import type { ActiveRun } from "./live-run.ts";

/** One model call, folded. */
export interface Reply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly estimated: boolean;
  readonly title: string | undefined;
  readonly stopped: boolean;
  readonly statefulMarker: string | undefined;
  /** The call failed; the rest is what came before. */
  readonly error: AppError | undefined;
}

const textCost = (value: string): number => Math.ceil(value.length / 4);
const messageCost = ({ content, toolCalls }: ChatMessage): number =>
  textCost(JSON.stringify(content ?? "")) + (toolCalls === undefined ? 0 : textCost(JSON.stringify(toolCalls)));

/** Tokens of a call, at four characters each (docs/architecture.md, estimates). */
export const estimate = (call: Pick<ModelCall, "messages" | "tools">): number =>
  call.messages.reduce((sum, message) => sum + messageCost(message), 0) +
  call.tools.reduce((sum, tool) => sum + textCost(JSON.stringify(tool.parameters)) + textCost(tool.description), 0);

/** Folds a provider's stream; text is emitted as it arrives, cleaned of what must not reach the person. */
class Fold {
  readonly #run: ActiveRun;
  readonly #filter = new TextFilter();
  readonly #said: StreamRedactor;
  readonly #thought: StreamRedactor;
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>();
  readonly #separate: boolean;
  text = "";
  reasoning = "";
  title: string | undefined;
  stopped = false;
  usage: Usage | undefined;
  finishReason: FinishReason = "stop";
  statefulMarker: string | undefined;

  constructor(parts: Parts, run: ActiveRun, separate: boolean) {
    this.#said = parts.redactStream();
    this.#thought = parts.redactStream();
    this.#run = run;
    this.#separate = separate;
  }

  take(event: ModelEvent): void {
    if (event.type === "text") for (const piece of this.#filter.push(event.text)) this.#piece(piece);
    else if (event.type === "reasoning") this.#reason(this.#thought.push(event.text));
    else if (event.type === "tool_call") this.#call(event);
    else if (event.type === "usage") this.usage = event.usage;
    else if (event.type === "warning") this.#run.warnings.push(event.text);
    else if (event.type === "marker") this.statefulMarker = event.statefulMarker;
    else this.finishReason = event.reason;
  }

  finish(): readonly ToolCall[] {
    for (const piece of this.#filter.end()) this.#piece(piece);
    this.#reason(this.#thought.end());
    this.#say(this.#said.end());
    return [...this.#calls.entries()]
      .toSorted(([a], [b]) => a - b)
      .map(([, call]) => ({ ...call, arguments: call.arguments === "" ? "{}" : call.arguments }));
  }

  #piece(piece: TextPiece): void {
    if (piece.type === "stop") this.stopped = true;
    else if (piece.type === "reasoning") this.#reason(this.#thought.push(piece.text));
    else if (piece.type === "title") this.title = piece.text;
    else if (piece.type === "tool_call") this.#writtenCall(piece.text);
    else this.#say(this.#said.push(piece.text));
  }

  #say(text: string): void {
    if (text === "") return;
    if (this.text === "" && this.#separate) this.#run.emit({ type: "text", text: "\n\n" });
    this.text += text;
    this.#run.emit({ type: "text", text });
  }

  #reason(text: string): void {
    if (text === "") return;
    this.reasoning += text;
    if (this.#run.request.includeReasoning) this.#run.emit({ type: "reasoning", text });
  }

  #call({ index, id, name, arguments: piece = "" }: Extract<ModelEvent, { type: "tool_call" }>): void {
    const call = this.#calls.get(index) ?? { id: "", name: "", arguments: "" };
    this.#calls.set(index, { id: call.id || (id ?? ""), name: call.name || (name ?? ""), arguments: call.arguments + piece });
  }

  /** A call written as text by a model without native calls. */
  #writtenCall(text: string): void {
    try {
      const { name, arguments: args = {} } = JSON.parse(text) as { name?: unknown; arguments?: unknown };
      if (typeof name === "string") this.#calls.set(this.#calls.size, { id: "", name, arguments: JSON.stringify(args) });
    } catch {
      this.#run.warnings.push("the model wrote a tool call that is not JSON");
    }
  }
}

/** One iteration's model call: shaped by plugins, streamed to the client, folded into a reply. */
export async function askModel(
  parts: Parts,
  run: ActiveRun,
  call: Omit<ModelCall, "model">,
  context: RunContext,
  separate: boolean,
): Promise<Reply> {
  const shaped = await parts.hooks.shapeModelCall({ ...call, model: run.model.name }, context);
  const fold = new Fold(parts, run, separate);
  const begun = parts.clock.now();
  let failure: AppError | undefined;
  const told = {
    answered: (by: typeof run.model) => run.answered(by),
    warning: (text: string) => void run.warnings.push(text),
  };
  try {
    for await (const event of parts.models.stream(run.request.model, shaped, run.signal, told)) fold.take(event);
  } catch (error) {
    failure = parts.errorOf(error, { run: run.id });
  }
  const calls = fold.finish();
  const usage = fold.usage ?? {
    promptTokens: estimate(shaped),
    completionTokens: textCost(fold.text + fold.reasoning + calls.map(({ name, arguments: args }) => name + args).join("")),
  };
  const summary = { runId: run.id, conversationId: run.conversationId, model: run.model, usage, duration: parts.clock.now() - begun };
  void parts.hooks.modelCallEnded({ ...summary, error: failure?.message ?? null });
  if (fold.usage !== undefined && fold.usage.promptTokens < estimate(shaped) / 2 && run.model.isLocal)
    run.warnings.push("context may have been cut by the runtime");
  const { text, reasoning, title, stopped, finishReason, statefulMarker } = fold;
  return {
    text,
    reasoning,
    calls,
    finishReason,
    usage,
    estimated: fold.usage === undefined,
    title,
    stopped,
    statefulMarker,
    error: failure,
  };
}

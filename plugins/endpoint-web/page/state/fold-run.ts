import type { EventSourceMessage } from "eventsource-parser";
import { batch, signal, type Signal } from "@preact/signals";
import type { Chunk, Forks, Message, Run, ToolFacts, ToolStatus } from "../link/wire.ts";
import { visible } from "../text/format.ts";

export interface ToolState extends Readonly<Record<"id" | "name" | "operation" | "summary", string>> {
  readonly status: ToolStatus;
  readonly milliseconds?: number | undefined;
  /** Of a call in a sub-agent: the tool that started that. */
  readonly parent?: string | undefined;
  /** An earlier yes covered it: until when, null = no time was named. */
  readonly allowedUntil?: string | null | undefined;
  readonly arguments?: string;
  readonly result?: string;
  readonly resultId?: string | null | undefined;
}

export const callStates: Readonly<Record<ToolStatus, string>> = {
  queued: "waits",
  running: "running",
  userInputRequired: "needs you",
  success: "done",
  error: "failed",
};

export const isOpen = ({ status }: ToolState): boolean => status !== "success" && status !== "error";

/** What a call does: "Read notes.md" where its tool says "Read file: /home/ada/notes.md". */
export const nameOfCall = ({ summary, name, operation }: ToolState): string =>
  visible(summary.replace(/^(\w+(?: \w+)?) file: (?:.*[/\\])?/, "$1 ") || `${name} ${operation}`);

/** Whether the service has left a run when it stopped: it goes on, or ends, when a person says so. */
export const isLeft = (run?: Pick<Run, "status">): boolean => run?.status === "interrupted";

/** The id of the first of some runs, where the service has left that. */
export const leftOf = ([first]: readonly Run[]): string => (isLeft(first) ? (first?.id ?? "") : "");

/** A piece of an answer: its text grows, its calls go on. */
export type Part =
  | { readonly kind: "text" | "thought"; readonly id: string; readonly text: Signal<string> }
  | { readonly kind: "tool"; readonly id: string; readonly call: Signal<ToolState> }
  | { readonly kind: "ask"; readonly id: string };

export const newAnswer = (id: string, time: string, branches?: Forks, run?: Run) => ({
  kind: "answer" as const,
  id,
  time,
  branches,
  parts: signal<readonly Part[]>([]),
  run: signal(run),
  /** The ids of the stored messages that it is made of. */
  messages: new Set<string>(),
  /** What its calls were given, as those messages have it. */
  given: new Map<string, string>(),
  /** The ids of what is remembered that the model was given. */
  memories: signal<readonly string[]>([]),
});

export type Answer = Readonly<ReturnType<typeof newAnswer>>;

export interface Question extends Readonly<Record<"id" | "time" | "text", string>> {
  readonly kind: "user";
  /** Messages that stand in its place, itself among them. */
  readonly branches?: Forks | undefined;
}

export type Turn = Question | Answer;

/** Whether a message is this turn, or part of it. */
export const holds = (turn: Turn, id = ""): boolean =>
  turn.id === id || (turn.kind === "answer" && turn.messages.has(id));

export const lastAsked = (turns: readonly Turn[]): string =>
  turns.findLast(({ kind }) => kind === "user")?.time ?? "";

/** What it says, without what tools did. */
export function textOf(turn: Turn): string {
  if (turn.kind === "user") return turn.text;
  const texts = turn.parts.peek().flatMap((part) => (part.kind === "text" ? part.text.peek() : []));
  return texts.join("\n\n");
}

export const wordsIn = (turn: Turn): number => textOf(turn).match(/\S+/g)?.length ?? 0;

function noteMemories(answer: Answer, { memories }: Pick<Message, "memories"> = {}): void {
  if (memories !== undefined) answer.memories.value = memories.map(({ id }) => id);
}

function addText({ parts }: Answer, kind: "text" | "thought", text: string): void {
  const last = parts.peek().at(-1);
  if (last?.kind === kind) return void (last.text.value += text);
  if (text.trim() === "") return;
  const id = `${kind}-${parts.peek().length}`;
  parts.value = [...parts.peek(), { kind, id, text: signal(text.replace(/^\n+/, "")) }];
}

/** Adds a call, or puts in what is new of it. */
function putCall({ parts }: Answer, call: Partial<ToolState> & { readonly id: string }): void {
  const known = parts.peek().find((part) => part.kind === "tool" && part.id === call.id);
  if (known?.kind === "tool") return void (known.call.value = { ...known.call.peek(), ...call });
  const whole: ToolState = { name: "", operation: "", status: "queued", summary: "", ...call };
  parts.value = [...parts.peek(), { kind: "tool", id: call.id, call: signal(whole) }];
}

/** What events and messages say alike of a call. */
const callOf = (facts: ToolFacts, id = "") => ({
  id,
  name: facts.toolName ?? "",
  operation: facts.toolOperation ?? "",
  status: (facts.toolStatus ?? "running") as ToolStatus,
  summary: (facts.toolDisplayData?.["summary"] ?? "") as string,
  resultId: facts.toolMetadata?.["resultId"] as string | undefined,
  parent: facts.parentToolName,
  allowedUntil: facts.toolMetadata?.["allowed_until"] as string | null | undefined,
});

function takeChunk(answer: Answer, chunk: Chunk): void {
  const milliseconds = chunk.toolMetadata?.["duration_ms"] as number | undefined;
  if (chunk.isToolMessage === true)
    return putCall(answer, { ...callOf(chunk, chunk.toolExecutionId), milliseconds });
  noteMemories(answer, chunk.service_metadata);
  const parts = answer.parts.peek();
  const asked = chunk.event?.type === "user_input_required" ? chunk.event.approvalId : undefined;
  if (asked !== undefined && !parts.some(({ id }) => id === asked))
    answer.parts.value = [...parts, { kind: "ask", id: asked }];
  const { reasoning_content: thought, content } = chunk.choices?.[0]?.delta ?? {};
  if (thought) addText(answer, "thought", thought);
  if (content) addText(answer, "text", content);
}

export function endedCalls({ parts }: Answer): readonly ToolState[] {
  const calls = parts.peek().flatMap((part) => (part.kind === "tool" ? part.call.peek() : []));
  return calls.filter((call) => !isOpen(call));
}

export function foldEvents(answer: Answer, events: readonly EventSourceMessage[]): void {
  batch(() => {
    for (const { event, data } of events) {
      if (event === "state") answer.run.value = JSON.parse(data) as Run;
      if (event === "chunk") takeChunk(answer, JSON.parse(data) as Chunk);
    }
  });
}

/** Puts in what a stored message alone says: what calls were given, and what one gave. */
function foldStored(answer: Answer, message: Message): void {
  answer.messages.add(message.id);
  for (const call of message.toolCalls ?? []) answer.given.set(call.id, call.function.arguments);
  if (message.role !== "tool") return;
  const { toolCallId: id = "", toolDuration: milliseconds, content, toolStatus = "success" } = message;
  const texts = { result: content ?? "", arguments: answer.given.get(id) ?? "" };
  putCall(answer, { ...callOf({ ...message, toolStatus }, id), ...texts, milliseconds });
}

/** Adds to a run that is drawn from its events what only its messages say: texts of calls, and open calls. */
export function addStored(answer: Answer, messages: readonly Message[] = []): void {
  const own = messages.filter(({ runId }) => runId === answer.id);
  for (const message of own) foldStored(answer, message);
  const { pendingToolCallIds = [] } = answer.run.peek() ?? {};
  if (!isLeft(answer.run.peek())) return;
  // What it has begun and not ended, and that waits for nobody.
  const known = new Set([...answer.parts.peek().map(({ id }) => id), ...pendingToolCallIds]);
  for (const { id, function: made } of own.flatMap(({ toolCalls = [] }) => toolCalls))
    if (!known.has(id)) putCall(answer, { id, ...made, status: "running" });
}

/** Whether a run has ended without a word: behind its question comes another one, or nothing. */
const wasSilent = (run?: Run, next?: Message): run is Run =>
  run?.status === "ended" && next?.role !== "assistant";

/** The messages before the person's first: those that are older may belong to the same answer. */
export function headOf(messages: readonly Message[]): readonly Message[] {
  const own = messages.filter(({ role }) => role !== "system");
  const asked = own.findIndex(({ role }) => role === "user");
  return asked === -1 ? own : own.slice(0, asked);
}

/** Stored messages as turns: what lies between two of the person's is one answer, of one of the runs. */
export function turnsOf(messages: readonly Message[], runs: readonly Run[] = []): readonly Turn[] {
  const turns: Turn[] = [];
  const own = messages.filter(({ role }) => role !== "system");
  for (const [at, message] of own.entries()) {
    const { id, role, runId, timestamp: time, content, branches } = message;
    const run = runs.find((one) => one.id === runId);
    if (role === "user") {
      turns.push({ kind: "user", id, time, text: content ?? "", branches });
      if (wasSilent(run, own[at + 1])) turns.push(newAnswer(run.id, time, undefined, run));
      continue;
    }
    const last = turns.at(-1);
    const answer = last?.kind === "answer" ? last : newAnswer(runId ?? id, time, branches, run);
    if (answer !== last) turns.push(answer);
    if (role === "assistant" && content) addText(answer, "text", content);
    noteMemories(answer, message);
    foldStored(answer, message);
  }
  return turns;
}

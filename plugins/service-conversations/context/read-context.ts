import { AppError, type Conversation } from "@pergola/sdk";
import type { ConversationKeeper, Parts, StoredRun } from "@pergola/sdk/host";
import { isOn, spansOf, type Span } from "../history/branches.ts";
import { usable } from "../window/budget.ts";
import { readStates } from "./read-states.ts";
import { readTexts, type OutlinedRun } from "./read-texts.ts";

type Context = Awaited<ReturnType<ConversationKeeper["context"]>>;
type Query = Parameters<ConversationKeeper["context"]>[1];

/** The newest runs among which the last one is looked for that has called a model. */
const mostRuns = 100;

/** More records than a conversation has. */
const everything = 1_000_000;

const hasOutline = <T extends StoredRun>(run: T | undefined): run is T & OutlinedRun =>
  run?.outline !== undefined;

const missing = (message: string): AppError => new AppError({ code: "not_found", message });

async function findRun(parts: Parts, id: string, runId: string | undefined): Promise<OutlinedRun> {
  const { runs } = parts.stores;
  const active = parts.runs.activeIn(id)?.record;
  if (runId === undefined) {
    if (hasOutline(active)) return active;
    const newest = await runs.find({ conversationId: id }, { order: "-createdAt", limit: mostRuns });
    const found = newest.find(hasOutline);
    if (found !== undefined) return found;
    throw missing("No model was called in this conversation yet. Send a message first.");
  }
  const found = active?.id === runId ? active : await runs.get(runId);
  if (found?.conversationId !== id)
    throw missing(`There is no run "${runId}" in this conversation. GET /api/runs lists its runs.`);
  if (hasOutline(found)) return found;
  throw missing(`The run "${runId}" has called no model, or ran before this was recorded. Name another run.`);
}

/** The parts of what a model sees, in their order. */
const titles = {
  system: "System prompt",
  personality: "Personality",
  tools: "Tools",
  block: "Facts behind the newest message",
  memories: "Memories",
  summary: "Summaries of what was left out",
  history: "Messages",
} as const;

const kinds = Object.keys(titles) as readonly (keyof typeof titles)[];

/** What the last model call of a run saw, put together again from its numbers and ids. */
export async function readContext(
  parts: Parts,
  conversation: Conversation,
  { runId, text }: Query,
): Promise<Context> {
  const run = await findRun(parts, conversation.id, runId);
  const { outline } = run;
  const last = outline.last === undefined ? undefined : await parts.stores.messages.get(outline.last);
  if (outline.last !== undefined && last?.conversationId !== conversation.id)
    throw missing(`The messages of the run "${run.id}" are not there any more. Name another run.`);
  const spans = spansOf(conversation, last?.branch ?? 0);
  const archived = await archivesOf(parts, conversation.id, outline.archived, spans);
  const texts = text ? await readTexts(parts, run, archived.at(-1)) : {};
  const room = usable(outline.contextWindow);
  return {
    runId: run.id,
    model: outline.model,
    contextWindow: outline.contextWindow,
    usable: room,
    estimatedTokens: kinds.reduce((sum, kind) => sum + outline[kind], 0),
    parts: [
      ...kinds.map((kind) => ({
        kind,
        title: titles[kind],
        tokens: outline[kind],
        ...textAt(texts, kind),
      })),
      { kind: "reserve", title: "Left to the answer", tokens: outline.contextWindow - room },
    ],
    messages: last === undefined ? [] : await readStates(parts, conversation.id, { spans, last, outline }),
    archives: archived.map(({ id, from, to, messages, summary }) => ({
      id,
      from,
      to,
      messages,
      summary: parts.redact(summary),
    })),
    memories: outline.remembered.map(([id, similarity]) => ({ id, similarity })),
  };
}

const textAt = (texts: Readonly<Record<string, string>>, kind: string): { readonly text?: string } => {
  const found = texts[kind];
  return found === undefined ? {} : { text: found };
};

/** The records of a branch up to the message with this number, in order. */
async function archivesOf({ archive }: Parts, id: string, upTo: number, spans: readonly Span[]) {
  if (upTo === 0) return [];
  const { items = [] } = (await archive?.list(id, { limit: everything })) ?? {};
  return items.filter(
    ({ branch, last }) => last <= upTo && isOn(spans, { ...(branch !== undefined && { branch }), seq: last }),
  );
}

import type {
  HistoryChunk,
  Log,
  MemoryHit,
  MemoryItem,
  MemoryService,
  RunContext,
  Services,
} from "@pergola/sdk";
import { withDeadline } from "@pergola/sdk/host";
import { longTerm } from "./long-term.ts";
import type { Question } from "./question.ts";

/** A memory, and how well it fits the question; null where it is shown whatever the question is. */
export interface Fitting {
  readonly item: MemoryItem;
  readonly similarity: number | null;
}

/** What is remembered and fits a question, best first. */
export interface Recollection {
  readonly memories: readonly MemoryHit[];
  readonly longTerm: readonly Fitting[];
  /** From other conversations of the topic. */
  readonly topicArchive: readonly HistoryChunk[];
}

const nothing: Recollection = { memories: [], longTerm: [], topicArchive: [] };

export interface Sources extends Pick<Services, "conversations" | "preferences"> {
  readonly memory: MemoryService;
  readonly log: Log;
}

export type Scene = Pick<RunContext, "scope" | "conversation" | "isNew" | "warn">;

/** Milliseconds that the model waits for memory. What comes later is there for the next run. */
export const deadline = 3000;

const mostChunks = 3;

/** The conversations of a topic that are searched: those that changed last. */
const mostConversations = 50;

const warning = "Memory failed or took too long; this answer was made without all that is remembered.";

/**
 * Looks everything up at the same time. The own scope of a new conversation costs no look, any other that is
 * empty one. Never rejects: what fails or is late is left out with a warning.
 */
export async function recollect(sources: Sources, scene: Scene, question: Question): Promise<Recollection> {
  const { scope, warn } = scene;
  if (scene.isNew === true && scope === scene.conversation.id) return nothing;
  const threshold = sources.preferences.get<number>("memory.inject_threshold");
  const orNone = async <T>(work: Promise<readonly T[]>): Promise<readonly T[]> => {
    try {
      return await withDeadline(work, deadline, () => new Error(`took longer than ${deadline / 1000} s`));
    } catch (error) {
      sources.log.warn({ error, scope }, "memory is not put before the model");
      warn(warning);
      return [];
    }
  };
  const isKnown = sources.memory.newest({ scope }, 1).then(({ length }) => length > 0);
  const ifKnown = async <T>(look: () => Promise<readonly T[]>): Promise<readonly T[]> => {
    if (await isKnown) return look();
    return [];
  };
  const [memories, lasting, archived] = await Promise.all([
    orNone(ifKnown(() => similar(sources, scope, question, threshold))),
    orNone(ifKnown(() => longTerm(sources.memory, scope, question, threshold))),
    orNone(topicArchive(sources, scene, question)),
  ]);
  return { memories, longTerm: lasting, topicArchive: archived };
}

/** Searches only where there are memories: a search costs a vector. */
async function similar(
  { memory, preferences }: Sources,
  scope: string,
  question: Question,
  threshold: number,
): Promise<readonly MemoryHit[]> {
  const limit = preferences.get<number>("memory.inject_count");
  const kinds = ["memory"] as const;
  const query = question.text;
  if (limit === 0 || query === "" || (await memory.newest({ scope, kinds }, 1)).length === 0) return [];
  const wordsOnly = await question.wordsOnly();
  const { trace } = question;
  return memory.search({ query, scopes: [scope], kinds, limit, threshold, wordsOnly, trace });
}

/** What other conversations of the topic hold; the model sees this one anyway. */
async function topicArchive(
  { memory, conversations }: Sources,
  { scope, conversation }: Scene,
  question: Question,
): Promise<readonly HistoryChunk[]> {
  const query = question.text;
  if (scope === conversation.id || query === "") return [];
  const { items } = await conversations.list({ topicId: scope, limit: mostConversations });
  const conversationIds = items.map(({ id }) => id).filter((id) => id !== conversation.id);
  if (conversationIds.length === 0) return [];
  const wordsOnly = await question.wordsOnly();
  return memory.recall({ query, conversationIds, limit: mostChunks, wordsOnly, trace: question.trace });
}

import { defined, type MemoryItem } from "@pergola/sdk";
import { printJson, printLines, printNote, printResult } from "./print-result.ts";
import type { CommonOptions, Service } from "./service.ts";
import { styled, textOfValue, visible } from "./visible.ts";

type ListedMemory = MemoryItem & { readonly similarity?: number };

interface Listed {
  readonly memories: readonly ListedMemory[];
  readonly count: number;
}

interface MemoryListOptions extends CommonOptions {
  readonly conversation?: string;
  readonly topic?: string;
  readonly kind?: string;
  readonly tag?: string;
  readonly limit?: number;
}

interface EditOptions extends CommonOptions {
  readonly type?: string;
  readonly tags?: string;
  readonly importance?: number;
}

const root = "/api/memories";
const addressOf = (id: string): string => `${root}/${encodeURIComponent(id)}`;

function typeOf({ kind, contentType, key }: ListedMemory): string {
  const type = kind === "memory" ? contentType : kind;
  return [type, key].filter((part) => part !== null).join(" ");
}

/** One line, starting with the id that `edit` and `forget` take. */
function lineOf(memory: ListedMemory): string {
  const { id, updatedAt, origin, similarity, content } = memory;
  const facts = [updatedAt.slice(0, 10), typeOf(memory), origin];
  if (similarity !== undefined) facts.push(similarity.toFixed(2));
  const text = content.replaceAll(/\s+/g, " ").trim();
  return `${id} ${styled("dim", visible(`(${facts.join(", ")})`))} ${visible(text)}`;
}

/** Lists the newest memories. */
export const listMemories = (service: Service, options: MemoryListOptions): Promise<void> =>
  printMemories(service, undefined, options);

/** Lists the best matches of a search. */
export const searchMemories = (
  service: Service,
  words: readonly string[],
  options: MemoryListOptions,
): Promise<void> => printMemories(service, words.join(" "), options);

async function printMemories(
  service: Service,
  q: string | undefined,
  { conversation: conversationId, topic: topicId, kind, tag, limit, json }: MemoryListOptions,
): Promise<void> {
  const filters = { q, conversationId, topicId, kind, tag, limit: limit?.toString() };
  const query = new URLSearchParams(defined(filters));
  const listed = await service.get<Listed>(`${root}?${query.toString()}`);
  if (json) return printJson(listed);
  const { memories, count } = listed;
  printLines(memories.map(lineOf));
  if (count === 0) printNote(q === undefined ? "Nothing is remembered." : "Nothing was found.");
  const rest = count - memories.length;
  if (rest > 0) printNote(`${rest} more. Show them with --limit ${count}.`);
}

export async function showMemory(service: Service, id: string, options: CommonOptions): Promise<void> {
  const memory = await service.get<ListedMemory>(addressOf(id));
  const { content, ...facts } = memory;
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${textOfValue(value)}`);
  const dimLines = lines.map((line) => styled("dim", visible(line)));
  printResult(options, memory, [...dimLines, visible(content)]);
}

/** Changes the fields that are named; the others stay as they are. */
export async function editMemory(
  service: Service,
  id: string,
  words: readonly string[],
  options: EditOptions,
): Promise<void> {
  const { type: contentType, importance } = options;
  const tags = options.tags?.split(",").map((tag) => tag.trim());
  const changes = {
    content: words.join(" ") || undefined,
    contentType,
    tags: tags?.filter(Boolean),
    importance,
  };
  const { memory } = await service.send<{ readonly memory: ListedMemory }>("PATCH", addressOf(id), changes);
  printResult(options, memory, [lineOf(memory)]);
}

export async function forgetMemories(
  service: Service,
  ids: readonly string[],
  { json }: CommonOptions,
): Promise<void> {
  for (const id of ids) {
    await service.send("DELETE", addressOf(id));
    if (json) printJson({ id, success: true });
    else printNote(`Forgotten: ${id}`);
  }
}

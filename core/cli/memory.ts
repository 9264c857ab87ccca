import { defined, type MemoryItem } from "@pergola/sdk";
import { exitCodes } from "./exit-codes.ts";
import { printResult } from "./print-result.ts";
import { jsonOf, withService, type CommonOptions } from "./service.ts";
import { styled, textOfValue, visible } from "./visible.ts";

type ListedMemory = MemoryItem & { readonly similarity?: number };

interface Listed {
  readonly memories: readonly ListedMemory[];
  readonly count: number;
}

export interface MemoryListOptions extends CommonOptions {
  readonly conversation?: string;
  readonly topic?: string;
  readonly kind?: string;
  readonly tag?: string;
  readonly limit?: number;
}

export interface EditOptions extends CommonOptions {
  readonly type?: string;
  readonly tags?: string;
  readonly importance?: number;
}

const root = "/api/memories";
const addressOf = (id: string): string => `${root}/${encodeURIComponent(id)}`;
const write = (lines: readonly string[]): unknown =>
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));

const typeOf = ({ kind, contentType, key }: ListedMemory): string =>
  (kind === "memory" ? contentType : kind) + (key === null ? "" : ` ${key}`);

/** One line, starting with the id that `edit` and `forget` take. */
function lineOf(memory: ListedMemory): string {
  const { id, updatedAt, origin, similarity, content } = memory;
  const facts = [updatedAt.slice(0, 10), typeOf(memory), origin];
  if (similarity !== undefined) facts.push(similarity.toFixed(2));
  const text = content.replaceAll(/\s+/g, " ").trim();
  return `${id} ${styled("dim", visible(`(${facts.join(", ")})`))} ${visible(text)}`;
}

/** Lists the newest memories. */
export const listMemories = async (options: MemoryListOptions): Promise<number> =>
  printMemories({}, options, "Nothing is remembered.");

/** Lists the best matches of a search. */
export const searchMemories = async (words: readonly string[], options: MemoryListOptions): Promise<number> =>
  printMemories({ q: words.join(" ") }, options, "Nothing was found.");

async function printMemories(
  search: { readonly q?: string },
  { conversation: conversationId, topic: topicId, kind, tag, limit, ...options }: MemoryListOptions,
  ifEmpty: string,
): Promise<number> {
  const filters = { ...search, conversationId, topicId, kind, tag, limit: limit?.toString() };
  const query = new URLSearchParams(defined(filters));
  return withService(options, async (service) => {
    const listed = await jsonOf<Listed>(await service.call("GET", `${root}?${query.toString()}`));
    const { memories, count } = listed;
    if (options.json === true) return (write([JSON.stringify(listed)]), exitCodes.ok);
    write(memories.map(lineOf));
    const rest = count - memories.length;
    if (count === 0) process.stderr.write(`${ifEmpty}\n`);
    if (rest > 0) process.stderr.write(`${rest} more. Show them with --limit ${count}.\n`);
    return exitCodes.ok;
  });
}

export async function showMemory(id: string, options: CommonOptions): Promise<number> {
  return withService(options, async (service) => {
    const memory = await jsonOf<ListedMemory>(await service.call("GET", addressOf(id)));
    if (options.json === true) return (write([JSON.stringify(memory)]), exitCodes.ok);
    const { content, ...facts } = memory;
    const fields = Object.entries(facts).map(([name, value]) => `${name}: ${textOfValue(value)}`);
    write([...fields.map((line) => styled("dim", visible(line))), visible(content)]);
    return exitCodes.ok;
  });
}

/** What is not named stays as it is. */
export async function editMemory(
  id: string,
  words: readonly string[],
  options: EditOptions,
): Promise<number> {
  const { type: contentType, importance } = options;
  const tags = options.tags
    ?.split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);
  const changes = {
    content: words.length === 0 ? undefined : words.join(" "),
    contentType,
    tags,
    importance,
  };
  return withService(options, async (service) => {
    const { memory } = await jsonOf<{ readonly memory: ListedMemory }>(
      await service.call("PATCH", addressOf(id), changes),
    );
    printResult(options, memory, `${lineOf(memory)}\n`);
    return exitCodes.ok;
  });
}

export async function forgetMemories(ids: readonly string[], options: CommonOptions): Promise<number> {
  return withService(options, async (service) => {
    for (const id of ids) {
      await jsonOf(await service.call("DELETE", addressOf(id)));
      if (options.json === true) write([JSON.stringify({ id, success: true })]);
      else process.stderr.write(`Forgotten: ${visible(id)}\n`);
    }
    return exitCodes.ok;
  });
}

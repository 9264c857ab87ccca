import type { MemoryItem } from "@pergola/sdk";
import { exitCodes } from "./exit-codes.ts";
import { jsonOf, withService, type CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

type Shown = MemoryItem & { readonly similarity?: number };

interface Listed {
  readonly memories: readonly Shown[];
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

const typeOf = ({ kind, contentType, key }: Shown): string =>
  (kind === "memory" ? contentType : kind) + (key === null ? "" : ` ${key}`);

/** One line: what it can be changed and forgotten by comes first. */
function lineOf(memory: Shown): string {
  const { id, updatedAt, origin, similarity, content } = memory;
  const facts = [
    updatedAt.slice(0, 10),
    typeOf(memory),
    origin,
    ...(similarity === undefined ? [] : [similarity.toFixed(2)]),
  ];
  return `${id} ${styled("dim", visible(`(${facts.join(", ")})`))} ${visible(content.replaceAll(/\s+/g, " ").trim())}`;
}

/** The newest memories, or with words the best hits of a search. */
export async function listMemories(words: readonly string[], options: MemoryListOptions): Promise<number> {
  const { conversation: conversationId, topic: topicId, kind, tag, limit } = options;
  const wanted = {
    q: words.length === 0 ? undefined : words.join(" "),
    conversationId,
    topicId,
    kind,
    tag,
    limit: limit?.toString(),
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) query.set(name, value);
  return withService(options, async (service) => {
    const listed = await jsonOf<Listed>(await service.call("GET", `${root}?${query.toString()}`));
    const { memories, count } = listed;
    if (options.json === true) return (write([JSON.stringify(listed)]), exitCodes.ok);
    write(memories.map(lineOf));
    const rest = count - memories.length;
    if (count === 0)
      process.stderr.write(words.length === 0 ? "Nothing is remembered.\n" : "Nothing was found.\n");
    if (rest > 0) process.stderr.write(`${rest} more; --limit shows more of them.\n`);
    return exitCodes.ok;
  });
}

export async function showMemory(id: string, options: CommonOptions): Promise<number> {
  return withService(options, async (service) => {
    const memory = await jsonOf<Shown>(await service.call("GET", addressOf(id)));
    if (options.json === true) return (write([JSON.stringify(memory)]), exitCodes.ok);
    const { content, ...facts } = memory;
    const told = Object.entries(facts).map(
      ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    write([...told.map((line) => styled("dim", visible(line))), visible(content)]);
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
    const { memory } = await jsonOf<{ readonly memory: Shown }>(
      await service.call("PATCH", addressOf(id), changes),
    );
    write([options.json === true ? JSON.stringify(memory) : lineOf(memory)]);
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

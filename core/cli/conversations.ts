import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { AppError } from "@pergola/sdk";
import { exitCodes } from "./exit-codes.ts";
import { jsonOf, withService, type CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface Listed {
  readonly conversations: readonly {
    readonly id: string;
    readonly title: string;
    readonly updated: string;
    readonly messageCount: number;
  }[];
  readonly count: number;
}

interface Imported {
  readonly conversationId: string;
  readonly imported: { readonly messages: number; readonly memories: number };
  readonly warnings: readonly string[];
}

export interface ListOptions extends CommonOptions {
  readonly limit?: number;
}

export interface ExportOptions extends CommonOptions {
  readonly format?: string;
  readonly output?: string;
}

export interface ImportOptions extends CommonOptions {
  readonly onConflict?: string;
}

const write = (lines: readonly string[]): unknown =>
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));

/** Conversations whose titles hold the words, the newest first. */
export async function listConversations(
  words: readonly string[],
  { limit = 20, ...options }: ListOptions,
): Promise<number> {
  return withService(options, async (service) => {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(words.length === 0 ? {} : { q: words.join(" ") }),
    });
    const { conversations, count } = await jsonOf<Listed>(
      await service.call("GET", `/v1/conversations?${query.toString()}`),
    );
    if (options.json === true) return (write([JSON.stringify({ conversations, count })]), exitCodes.ok);
    const factsOf = ({ updated, messageCount }: Listed["conversations"][number]): string =>
      `${updated.slice(0, 10)}, ${messageCount} messages`;
    write(conversations.map((one) => `${one.id} ${visible(one.title)} ${styled("dim", factsOf(one))}`));
    if (count > conversations.length)
      process.stderr.write(`${count - conversations.length} more; --limit shows more of them.\n`);
    return exitCodes.ok;
  });
}

/** Writes the file as it comes: to `--output`, which must not exist, else to stdout. */
export async function exportConversation(
  id: string,
  { format = "json", output, ...options }: ExportOptions,
): Promise<number> {
  return withService(options, async (service) => {
    const answer = await service.call(
      "GET",
      `/v1/conversations/${encodeURIComponent(id)}/export?format=${encodeURIComponent(format)}`,
    );
    if (!answer.ok || answer.body === null) await jsonOf(answer);
    const bytes = Readable.fromWeb(answer.body as ReadableStream);
    if (output === undefined) await pipeline(bytes, process.stdout, { end: false });
    else await pipeline(bytes, createWriteStream(output, { flags: "wx", mode: 0o600 }));
    if (output !== undefined) process.stderr.write(`Written to ${visible(output)}.\n`);
    return exitCodes.ok;
  });
}

/** The id of the conversation goes to stdout, what was left out to stderr. */
export async function importConversation(
  file: string,
  { onConflict = "new_id", ...options }: ImportOptions,
): Promise<number> {
  const pack = await readPackage(file);
  return withService(options, async (service) => {
    const path = `/v1/conversations/import?onConflict=${encodeURIComponent(onConflict)}`;
    const taken = await jsonOf<Imported>(await service.call("POST", path, pack));
    if (options.json === true) return (write([JSON.stringify(taken)]), exitCodes.ok);
    const { messages, memories } = taken.imported;
    process.stderr.write(
      [`${messages} messages and ${memories} memories were imported.`, ...taken.warnings]
        .map((line) => `${visible(line)}\n`)
        .join(""),
    );
    write([taken.conversationId]);
    return exitCodes.ok;
  });
}

async function readPackage(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw new AppError({
      code: "invalid_value",
      message: `${file} cannot be read as a package: ${(cause as Error).message}.`,
      cause,
    });
  }
}

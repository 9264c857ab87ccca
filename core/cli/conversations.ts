import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { defined } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { printJson, printLines, printNote } from "./print-result.ts";
import { jsonOf, withService, type CommonOptions, type Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface ListedConversation {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly messageCount: number;
}

interface Listed {
  readonly conversations: readonly ListedConversation[];
  readonly count: number;
}

interface Imported {
  readonly conversationId: string;
  readonly imported: { readonly messages: number; readonly memories: number };
  readonly warnings: readonly string[];
}

interface ListOptions extends CommonOptions {
  readonly limit?: number;
}

interface ExportOptions extends CommonOptions {
  readonly format?: string;
  readonly output?: string;
}

interface ImportOptions extends CommonOptions {
  readonly onConflict?: string;
}

function lineOf({ id, title, updated, messageCount }: ListedConversation): string {
  const facts = `${updated.slice(0, 10)}, ${messageCount} messages`;
  return `${id} ${visible(title)} ${styled("dim", facts)}`;
}

/** Lists the conversations whose titles hold the words, the newest first. */
export async function listConversations(
  service: Service,
  words: readonly string[],
  { limit = 20, json }: ListOptions,
): Promise<void> {
  const q = words.join(" ") || undefined;
  const query = new URLSearchParams(defined({ limit: String(limit), q }));
  const { conversations, count } = await service.get<Listed>(`/v1/conversations?${query.toString()}`);
  if (json) return printJson({ conversations, count });
  printLines(conversations.map(lineOf));
  const rest = count - conversations.length;
  if (rest > 0) printNote(`${rest} more; --limit shows more of them.`);
}

/** Writes the file as it comes: to `--output`, which must not exist, else to stdout. */
export async function exportConversation(
  service: Service,
  id: string,
  { format = "json", output }: ExportOptions,
): Promise<void> {
  const address = `/v1/conversations/${encodeURIComponent(id)}/export`;
  const answer = await service.call("GET", `${address}?format=${encodeURIComponent(format)}`);
  if (!answer.ok || answer.body === null) await jsonOf(answer);
  const bytes = Readable.fromWeb(answer.body as ReadableStream);
  if (output === undefined) return pipeline(bytes, process.stdout, { end: false });
  await pipeline(bytes, createWriteStream(output, { flags: "wx", mode: 0o600 }));
  printNote(`Written to ${output}.`);
}

/** Imports a conversation. Its id goes to stdout, what was left out to stderr. */
export async function importConversation(
  file: string,
  { onConflict = "new_id", ...options }: ImportOptions,
): Promise<void> {
  const content = await readPackage(file);
  const address = `/v1/conversations/import?onConflict=${encodeURIComponent(onConflict)}`;
  await withService(options, async (service) => {
    const result = await service.send<Imported>("POST", address, content);
    if (options.json) return printJson(result);
    const { messages, memories } = result.imported;
    printNote(`${messages} messages and ${memories} memories were imported.`);
    result.warnings.forEach(printNote);
    printLines([result.conversationId]);
  });
}

async function readPackage(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    const { message } = cause as Error;
    throw fault("invalid_value", `${file} cannot be read as a package: ${message}.`, { cause });
  }
}

import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { isConfirmed } from "./ask-person.ts";
import {
  addressOf,
  findConversations,
  printTurns,
  readConversation,
  type ListedConversation,
} from "./conversation-turns.ts";
import { exitCodes } from "./exit-codes.ts";
import { localTime } from "./local-time.ts";
import { printJson, printLines, printNote, printWrapped } from "./print-result.ts";
import { jsonOf, type CommonOptions, type Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface ListOptions extends CommonOptions {
  readonly limit?: number;
}

interface DeleteOptions extends CommonOptions {
  readonly yes?: boolean;
}

interface ExportOptions extends CommonOptions {
  readonly format?: string;
  readonly output?: string;
}

export function lineOf({ id, title, updated, messageCount }: ListedConversation): string {
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
  const { conversations, count } = await findConversations(service, limit, q);
  if (json) return printJson({ conversations, count });
  printWrapped(conversations.map(lineOf));
  if (count === 0) printNote(q === undefined ? "There is no conversation yet." : "Nothing was found.");
  const rest = count - conversations.length;
  if (rest > 0) printNote(`${rest} more; --limit ${count} shows them.`);
}

/** Prints what was said in a conversation. */
export async function showConversation(service: Service, id: string, { json }: CommonOptions): Promise<void> {
  const conversation = await readConversation(service, id);
  if (json) return printJson(conversation);
  const { title, updated, messages } = conversation;
  printLines([
    styled("bold", visible(title)),
    styled("dim", `${conversation.id}, ${localTime(updated)}`),
    "",
  ]);
  await printTurns(messages);
}

export async function renameConversation(
  service: Service,
  id: string,
  words: readonly string[],
  { json }: CommonOptions,
): Promise<void> {
  const renamed = await service.send<{ readonly title: string }>("PATCH", addressOf(id), {
    title: words.join(" "),
  });
  if (json) printJson(renamed);
  else printNote(`Renamed: ${renamed.title}`);
}

/** Deletes conversations for good, each after its title was shown and the person has said yes. */
export async function deleteConversations(
  service: Service,
  ids: readonly string[],
  options: DeleteOptions,
): Promise<number> {
  for (const id of ids) {
    const { title } = await readConversation(service, id);
    const question = `Delete "${visible(title)}" for good?`;
    if (options.yes !== true && !(await isConfirmed(question, "--yes"))) {
      printNote("Nothing was deleted.");
      return exitCodes.failed;
    }
    await service.send("DELETE", addressOf(id));
    if (options.json) printJson({ id, success: true });
    else printNote(`Deleted: ${title}`);
  }
  return exitCodes.ok;
}

/** Writes the file as it comes: to `--output`, which must not exist, else to stdout. */
export async function exportConversation(
  service: Service,
  id: string,
  { format = "json", output }: ExportOptions,
): Promise<void> {
  const answer = await service.call("GET", `${addressOf(id)}/export?format=${encodeURIComponent(format)}`);
  if (!answer.ok) await jsonOf(answer);
  if (output === undefined) return pipeline(answer.body, process.stdout, { end: false });
  await pipeline(answer.body, createWriteStream(output, { flags: "wx", mode: 0o600 }));
  printNote(`Written to ${output}.`);
}

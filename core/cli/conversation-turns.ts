import { defined } from "@pergola/sdk";
import { printDim, printLines } from "./print-result.ts";
import { isAtTerminal } from "./screen.ts";
import { withHint, type Service } from "./service.ts";
import { readable, styled, visible } from "./visible.ts";

export interface ListedConversation {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly messageCount: number;
}

export interface ListedConversations {
  readonly conversations: readonly ListedConversation[];
  readonly count: number;
}

interface ShownTurn {
  readonly role: string;
  readonly content: string | null;
  readonly toolDetails?: readonly string[];
}

export interface ConversationDetail extends Pick<ListedConversation, "id" | "title" | "updated"> {
  readonly messages: readonly ShownTurn[];
}

export const addressOf = (id: string): string => `/v1/conversations/${encodeURIComponent(id)}`;

/** The conversations whose titles hold the words, or all; the newest first. */
export const findConversations = (
  service: Service,
  limit: number,
  q?: string,
): Promise<ListedConversations> =>
  service.get(`/v1/conversations?${new URLSearchParams(defined({ limit: String(limit), q })).toString()}`);

/** A conversation with what was said in it, and the steps of tools before each answer. */
export const readConversation = (service: Service, id: string): Promise<ConversationDetail> =>
  withHint(service.get(`${addressOf(id)}?view=turns`), "`pergola conversations list` lists them.");

/** Prints turns as a chat shows them. */
export async function printTurns(turns: readonly ShownTurn[]): Promise<void> {
  for (const turn of turns) printLines([...(await linesOf(turn)), ""]);
}

async function linesOf({ role, content, toolDetails = [] }: ShownTurn): Promise<readonly string[]> {
  const text = readable(content ?? "");
  if (role === "user") return text.split("\n").map((line) => styled("bold", `> ${line}`));
  const steps = toolDetails.map((step) => styled("dim", `✓ ${visible(step)}`));
  if (!isAtTerminal()) return [...steps, text];
  const { blocksOf, renderBlocks } = await import("./text/markdown.ts");
  const width = Math.min(process.stdout.columns || 80, 100);
  return [...steps, ...renderBlocks(blocksOf(text), width)];
}

/** Prints the title of a conversation that goes on, and its last question and answer. */
export async function printEndOf(service: Service, id: string): Promise<void> {
  const { title, messages } = await readConversation(service, id);
  printDim(`Going on with: ${title}`);
  const last = messages.findLastIndex(({ role }) => role === "user");
  await printTurns(messages.slice(Math.max(0, last)));
}

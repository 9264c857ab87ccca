import { newId } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { Package } from "./package-form.ts";

/** What stands in a package for ids that are taken here: calls and stored results get new ones. */
export interface NewIds {
  call(id: string): string;
  /** Also in the midst of text. */
  results(text: string): string;
}

const resultIds = /\bres_[0-9a-f]{32}\b/g;

/** `own`: a conversation whose ids are free, for it is to be replaced. */
export async function newIds(
  parts: Parts,
  { conversation, results = [] }: Package,
  own: string | undefined,
): Promise<NewIds> {
  const calls = new Map<string, string>();
  const renamed = new Map<string, string>();
  const ids = conversation.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
  for (let at = 0; own === undefined && at < ids.length; at += 500)
    for (const id of await parts.conversations.usedCallIds(ids.slice(at, at + 500)))
      calls.set(id, newId.toolCall());
  for (const { resultId } of results) {
    const existing = await parts.stores.results.get(resultId);
    if (existing !== undefined && existing.conversationId !== own) renamed.set(resultId, newId.result());
  }
  return {
    call: (id) => calls.get(id) ?? id,
    results: (text) => text.replaceAll(resultIds, (id) => renamed.get(id) ?? id),
  };
}

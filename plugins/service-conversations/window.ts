import type { Message, Parts } from "@pergola/sdk";

const pageSize = 200;

/** Tokens of history that fit: 85 % of the context, less room for the answer. */
export const usable = (context: number): number => Math.floor(0.85 * context) - Math.min(8000, Math.floor(context / 4));

const size = ({ content, toolCalls }: Message): number =>
  Math.ceil(((content?.length ?? 0) + (toolCalls === undefined ? 0 : JSON.stringify(toolCalls).length)) / 4) + 4;

/**
 * The newest messages that fit into `tokens`, in order, read from the end page by page: what it costs does not grow with the conversation.
 * A tool message never comes without the message that called. `turns` limits the visible turns; 0 = all that fit. `upTo` is the number of
 * the last message to be seen.
 */
export async function readWindow(parts: Parts, id: string, tokens: number, turns: number, upTo?: number): Promise<readonly Message[]> {
  const kept: Message[] = [];
  let left = tokens;
  let visible = 0;
  for (let before = upTo === undefined ? undefined : upTo + 1; ; before = kept.at(-1)?.seq) {
    const page = await parts.conversations.messages(id, { limit: pageSize, newest: true, ...(before === undefined ? {} : { before }) });
    for (const message of page.toReversed()) {
      left -= message.superseded === true ? 0 : size(message);
      visible += message.visible ? 1 : 0;
      if ((left < 0 && kept.length > 0) || (turns > 0 && visible > turns)) return whole(kept.toReversed());
      kept.push(message);
    }
    if (page.length < pageSize) return whole(kept.toReversed());
  }
}

function whole(messages: readonly Message[]): readonly Message[] {
  const live = messages.filter(({ superseded }) => superseded !== true);
  const start = live.findIndex(({ role }) => role !== "tool");
  return start < 0 ? [] : live.slice(start);
}

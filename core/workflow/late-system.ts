import { isDeepStrictEqual } from "node:util";
import type { ChatMessage } from "@pergola/sdk";

/** A system message inside a request's history, and the turns of the request around it. */
export interface LateSystem {
  readonly message: ChatMessage;
  readonly before: readonly ChatMessage[];
  readonly behind: readonly ChatMessage[];
}

const isSystem = ({ role }: ChatMessage): boolean => role === "system";

/** The system messages of a request: those of its beginning, and those that stand between its turns. */
export function splitSystem(messages: readonly ChatMessage[]): {
  readonly leading: readonly ChatMessage[];
  readonly late: readonly LateSystem[];
} {
  const start = messages.findIndex((message) => !isSystem(message));
  if (start < 0) return { leading: messages, late: [] };
  const turnsIn = (from: number, to?: number) =>
    messages.slice(from, to).filter((message) => !isSystem(message));
  const late = messages.flatMap((message, index): readonly LateSystem[] => {
    if (index < start || !isSystem(message)) return [];
    return [{ message, before: turnsIn(start, index), behind: turnsIn(index) }];
  });
  return { leading: messages.slice(0, start), late };
}

const isSame = (first: ChatMessage, second: ChatMessage): boolean => {
  if (first.role !== second.role) return false;
  if (first.role === "tool") return first.toolCallId === second.toolCallId;
  return isDeepStrictEqual(first.content, second.content);
};

/** Behind which message of the window it belongs; -1 where none of the turns before it is there. */
function placeOf({ before, behind }: LateSystem, window: readonly ChatMessage[]): number {
  for (const turn of before.toReversed()) {
    const repeats = behind.filter((each) => isSame(each, turn)).length;
    const places = window.flatMap((message, index) => (isSame(message, turn) ? [index] : []));
    const place = places.at(-1 - repeats);
    if (place !== undefined) return place;
  }
  return -1;
}

/** The window with each of these messages behind the turn that it follows in the request. */
export function withLateSystem(
  window: readonly ChatMessage[],
  late: readonly LateSystem[],
): readonly ChatMessage[] {
  if (late.length === 0) return window;
  const placed = late.map((each) => ({ message: each.message, place: placeOf(each, window) }));
  const behind = (index: number) =>
    placed.filter(({ place }) => place === index).map(({ message }) => message);
  return [...behind(-1), ...window.flatMap((message, index) => [message, ...behind(index)])];
}

import { AppError, defined, type ChatMessage, type Message } from "@pergola/sdk";
import { messageText } from "@pergola/sdk/host";
import { matchTurn, mayBeMissing, nothing, type TurnMatch } from "./match-turn.ts";
import { openCallsOf, type Turn } from "./turns.ts";

/** The turns of an active branch: its first ones and its last ones. */
export interface BranchTurns {
  readonly first: readonly Turn[];
  readonly last: readonly Turn[];
}

/** Where the new messages of a request go. */
export interface Placement {
  readonly append: readonly ChatMessage[];
  /** A new branch begins below this message; undefined: the active one goes on. */
  readonly below?: Message;
  /** Open calls of the caller that nobody will answer any more. */
  readonly abandonedCalls: readonly string[];
}

/** A place between the messages of a branch, as far as the client's messages lead. */
interface Place extends TurnMatch {
  readonly turn: number;
}

interface Walk {
  /** How many of the client's messages were found, in order. */
  readonly taken: number;
  /** Only what the client need not know is left behind the last one. */
  readonly isAtTip: boolean;
  /** The last turn that the client knows, and how many of its messages lead there. */
  readonly known?: { readonly turn: number; readonly taken: number };
}

const isPassable = (turn: Turn, isKnown: boolean): boolean => isKnown || mayBeMissing(turn);

/** The places a message leads to, turns that may be missing being stepped over; none: it is not there. */
function step(sent: ChatMessage, turns: readonly Turn[], from: Place): readonly Place[] {
  const places: Place[] = [];
  let place = from;
  for (let turn = turns[place.turn]; turn !== undefined; turn = turns[place.turn]) {
    const at = place.turn;
    places.push(...matchTurn(sent, turn, place).map((match) => ({ turn: at, ...match })));
    if (!isPassable(turn, place.isKnown)) return places;
    place = { turn: at + 1, ...nothing };
  }
  return places;
}

const isAtTip = (turns: readonly Turn[], { turn, isKnown }: Place): boolean =>
  turns.slice(turn).every((one, index) => isPassable(one, isKnown && index === 0));

const keyOf = ({ turn, next, isKnown }: Place): string => `${turn} ${next} ${isKnown}`;

/** Follows all ways to read the client's messages as a part of the branch, for texts may repeat. */
function walk(sent: readonly ChatMessage[], turns: readonly Turn[], start: number): Walk {
  let places: readonly Place[] = [{ turn: start, ...nothing }];
  let known: Walk["known"];
  for (const [taken, message] of sent.entries()) {
    const next = places.flatMap((place) => step(message, turns, place));
    if (next.length === 0) return defined({ taken, isAtTip: hasTip(turns, places), known });
    places = [...new Map(next.map((place) => [keyOf(place), place])).values()];
    const furthest = places.findLast(({ isKnown }) => isKnown);
    if (furthest !== undefined) known = { turn: furthest.turn, taken: taken + 1 };
  }
  return defined({ taken: sent.length, isAtTip: hasTip(turns, places), known });
}

const hasTip = (turns: readonly Turn[], places: readonly Place[]): boolean =>
  places.some((place) => isAtTip(turns, place));

/** How many of the client's messages lead to the tip: the longest beginning of them that ends the branch. */
function overlap(sent: readonly ChatMessage[], turns: readonly Turn[]): number {
  for (const [start, turn] of turns.entries()) {
    if (sent[0] === undefined || matchTurn(sent[0], turn).length === 0) continue;
    const { taken, isAtTip, known } = walk(sent, turns, start);
    if (isAtTip && known !== undefined && taken < sent.length) return taken;
  }
  return 0;
}

/** Whether a client's messages repeat a whole branch and add to it. */
export function continues(sent: readonly ChatMessage[], turns: readonly Turn[]): boolean {
  const { taken, isAtTip, known } = walk(sent, turns, 0);
  return isAtTip && known !== undefined && taken < sent.length;
}

/**
 * Which of a client's messages are new, and where they belong. `sent` are its messages without system ones
 * and without assistant messages that have neither text nor calls; `first` and `last` hold each at least as
 * many turns as `sent` has messages, where there are that many. Throws `unknown_tool_call_id` and
 * `missing_tool_result`.
 */
export function placeRequest(sent: readonly ChatMessage[], { first, last }: BranchTurns): Placement {
  const { append, below } = findPlace(sent, first, last);
  const before = below === undefined ? last : first.slice(0, first.indexOf(below) + 1);
  const abandonedCalls = checkAnswers(append, sent, openCallsOf(before));
  const message = below?.messages.at(-1);
  return { append, abandonedCalls, ...(message !== undefined && { below: message }) };
}

function findPlace(
  sent: readonly ChatMessage[],
  first: readonly Turn[],
  last: readonly Turn[],
): { readonly append: readonly ChatMessage[]; readonly below?: Turn } {
  if (last.length === 0 || (sent.length === 1 && sent[0]?.role === "user")) return { append: sent };
  const shared = overlap(sent, last);
  if (shared > 0) return { append: sent.slice(shared) };
  const { known } = walk(sent, first, 0);
  if (known === undefined) return { append: sent.slice(newFrom(sent, openCallsOf(last))) };
  const [below, append] = [first[known.turn], sent.slice(known.taken)];
  return defined({ append, below: endOf(below) === endOf(last.at(-1)) ? undefined : below });
}

const endOf = (turn: Turn | undefined): string | undefined => turn?.messages.at(-1)?.id;

/** Where nothing matches: the last user message, with answers to open calls before it. */
function newFrom(sent: readonly ChatMessage[], open: readonly string[]): number {
  const user = sent.findLastIndex(({ role }) => role === "user");
  let from = Math.max(0, user);
  while (open.includes(sent[from - 1]?.toolCallId ?? "")) from -= 1;
  return from;
}

const callIdsOf = ({ toolCalls = [] }: ChatMessage): readonly string[] => toolCalls.map(({ id }) => id);

/**
 * Every answer has its call, and every call its answer unless the conversation went on without it. The stored
 * calls left open.
 */
export function checkAnswers(
  append: readonly ChatMessage[],
  sent: readonly ChatMessage[],
  open: readonly string[],
): readonly string[] {
  const made = new Set([...open, ...sent.flatMap(callIdsOf)]);
  const answers = new Set(
    append.filter(({ role }) => role === "tool").map(({ toolCallId }) => toolCallId ?? ""),
  );
  const unknown = [...answers].find((id) => !made.has(id));
  if (unknown !== undefined) {
    throw new AppError({
      code: "unknown_tool_call_id",
      message: `No open tool call has the id "${unknown}".`,
      param: "messages",
    });
  }
  const asked = append.findLastIndex(({ role }) => role !== "tool");
  const waiting = asked < 0 ? open : callIdsOf(append[asked] as ChatMessage);
  const unanswered = waiting.filter((id) => !answers.has(id));
  if (unanswered.length > 0) {
    const message = `These tool calls are not answered: ${unanswered.join(", ")}.`;
    throw new AppError({ code: "missing_tool_result", message, param: "messages" });
  }
  return open.filter((id) => !answers.has(id));
}

/** The messages of a request that belong to the history. */
export const historyOf = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.filter(
    (message) =>
      message.role !== "system" &&
      (message.role !== "assistant" || messageText(message).trim() !== "" || callIdsOf(message).length > 0),
  );

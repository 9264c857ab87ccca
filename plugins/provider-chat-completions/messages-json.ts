import { lastUserIndex, type ChatMessage } from "@pergola/sdk";
import type { Preset } from "./preset.ts";
import { repairMessages } from "./repair-messages.ts";
import { wireMessage } from "./wire-message.ts";

/** JSON as its UTF-8, in pieces. */
export type JsonBytes = readonly Uint8Array[];

/** Messages that came out of the repair as they went in, and their JSON, without the brackets of the list. */
interface KnownMessages {
  readonly preset: Preset;
  /** They stand after the newest user message. */
  readonly areInTurn: boolean;
  readonly messages: readonly ChatMessage[];
  readonly json: JsonBytes;
}

/** By the first of the messages. */
const known = new WeakMap<ChatMessage, KnownMessages>();

const messageJson = (message: ChatMessage, isInTurn: boolean, preset: Preset): string =>
  JSON.stringify(wireMessage(message, isInTurn, preset));

/** Messages one after the other; none where there are none. */
function bytesOf(texts: readonly string[]): JsonBytes {
  if (texts.length === 0) return [];
  return [Buffer.from(texts.join(","))];
}

function jsonOf(repaired: readonly ChatMessage[], preset: Preset): JsonBytes {
  const newest = lastUserIndex(repaired);
  return bytesOf(repaired.map((message, index) => messageJson(message, index > newest, preset)));
}

const comma = Buffer.from(",");

const joined = (parts: readonly JsonBytes[]): JsonBytes =>
  parts.reduce((before, part) => [
    ...before,
    ...(before.length > 0 && part.length > 0 ? [comma] : []),
    ...part,
  ]);

/** Pieces from which on they become one: a long history is not copied with each call. */
const many = 16;

const gathered = (pieces: JsonBytes): JsonBytes => (pieces.length < many ? pieces : [Buffer.concat(pieces)]);

function isSound(messages: readonly ChatMessage[], preset: Preset): boolean {
  // Where it stands in the whole it may be a late one.
  if (!preset.lateSystem && messages[0]?.role === "system") return false;
  const repaired = repairMessages(messages, preset);
  return repaired.length === messages.length && repaired.every((one, index) => one === messages[index]);
}

/** Neighbours of one role are joined, wherever the list is cut. */
const areApart = (before: readonly ChatMessage[], after: readonly ChatMessage[]): boolean =>
  before.at(-1)?.role !== after[0]?.role;

type Place = Pick<KnownMessages, "preset" | "areInTurn">;

function continuedBy(messages: readonly ChatMessage[], first: ChatMessage, place: Place): KnownMessages {
  const found = known.get(first);
  const isSame = found?.preset === place.preset && found.areInTurn === place.areInTurn;
  if (isSame && found.messages.every((one, index) => one === messages[index])) return found;
  return { ...place, messages: [], json: [] };
}

/**
 * Messages that only become more from call to call: what is new of them is added to what the last call has
 * made. Undefined where they have to be repaired.
 */
function grownJson(messages: readonly ChatMessage[], place: Place): JsonBytes | undefined {
  const [first] = messages;
  if (first === undefined) return [];
  const before = continuedBy(messages, first, place);
  const added = messages.slice(before.messages.length);
  if (added.length === 0) return before.json;
  if (!areApart(before.messages, added) || !isSound(added, place.preset)) return undefined;
  const texts = added.map((message) => messageJson(message, place.areInTurn, place.preset));
  const json = gathered(joined([before.json, bytesOf(texts)]));
  known.set(first, { ...place, messages, json });
  return json;
}

/** The newest message of the person, which is another one with each call, and what came of it so far. */
function turnJson(turn: readonly ChatMessage[], preset: Preset): JsonBytes | undefined {
  const [asked, answers] = [turn.slice(0, 1), turn.slice(1)];
  const isWhole = areApart(asked, answers) && isSound(asked, preset);
  const json = isWhole ? grownJson(answers, { preset, areInTurn: true }) : undefined;
  if (json !== undefined) return joined([jsonOf(asked, preset), json]);
  const repaired = repairMessages(turn, preset);
  return repaired[0]?.role === "user" ? jsonOf(repaired, preset) : undefined;
}

/** Its parts, each repaired by itself; undefined where that is not the same as repairing the whole. */
function partsJson(messages: readonly ChatMessage[], preset: Preset): JsonBytes | undefined {
  const begin = messages.findIndex(({ role }) => role !== "system");
  const newest = lastUserIndex(messages);
  if (begin < 0 || newest < begin) return undefined;
  const [history, turn] = [messages.slice(begin, newest), messages.slice(newest)];
  const parts = [grownJson(history, { preset, areInTurn: false }), turnJson(turn, preset)];
  if (!areApart(history, turn) || parts.includes(undefined)) return undefined;
  const system = repairMessages(messages.slice(0, begin), preset);
  return joined([jsonOf(system, preset), ...(parts as readonly JsonBytes[])]);
}

/** The messages of a call as the JSON of a list, without its brackets. */
export const messagesJson = (messages: readonly ChatMessage[], preset: Preset): JsonBytes =>
  partsJson(messages, preset) ?? jsonOf(repairMessages(messages, preset), preset);

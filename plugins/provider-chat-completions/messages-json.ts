import { lastUserIndex, type ChatMessage } from "@pergola/sdk";
import type { Preset } from "./preset.ts";
import { repairMessages } from "./repair-messages.ts";
import { wireMessage } from "./wire-message.ts";

/** Messages that came out of the repair as they went in, and their JSON, without the brackets of the list. */
interface KnownHistory {
  readonly preset: Preset;
  readonly messages: readonly ChatMessage[];
  readonly json: string;
}

/** By the first message of a conversation. */
const histories = new WeakMap<ChatMessage, KnownHistory>();

function jsonOf(repaired: readonly ChatMessage[], preset: Preset): string {
  const newest = lastUserIndex(repaired);
  return repaired
    .map((message, index) => JSON.stringify(wireMessage(message, index > newest, preset)))
    .join(",");
}

/** Added up rather than joined, which would copy a long history each time. */
const joined = (parts: readonly string[]): string =>
  parts.reduce((before, part) => (before !== "" && part !== "" ? `${before},${part}` : before + part), "");

const isSound = (messages: readonly ChatMessage[], preset: Preset): boolean => {
  const repaired = repairMessages(messages, preset);
  return repaired.length === messages.length && repaired.every((one, index) => one === messages[index]);
};

/** Neighbours of one role are joined, wherever the list is cut. */
const areApart = (before: readonly ChatMessage[], after: readonly ChatMessage[]): boolean =>
  before.at(-1)?.role !== after[0]?.role;

function continuedBy(
  known: KnownHistory | undefined,
  messages: readonly ChatMessage[],
  preset: Preset,
): KnownHistory {
  if (known?.preset === preset && known.messages.every((one, index) => one === messages[index])) return known;
  return { preset, messages: [], json: "" };
}

/**
 * What stands before the newest message of the person. With each turn it only grows: what is new of it is
 * added to what the last call has made. Undefined where it has to be repaired.
 */
function historyJson(messages: readonly ChatMessage[], preset: Preset): string | undefined {
  const [first] = messages;
  if (first === undefined) return "";
  const known = continuedBy(histories.get(first), messages, preset);
  const added = messages.slice(known.messages.length);
  if (added.length === 0) return known.json;
  if (!areApart(known.messages, added) || !isSound(added, preset)) return undefined;
  const texts = added.map((message) => JSON.stringify(wireMessage(message, false, preset)));
  const json = joined([known.json, texts.join(",")]);
  histories.set(first, { preset, messages, json });
  return json;
}

/** Its parts, each repaired by itself; undefined where that is not the same as repairing the whole. */
function partsJson(messages: readonly ChatMessage[], preset: Preset): string | undefined {
  const begin = messages.findIndex(({ role }) => role !== "system");
  const newest = lastUserIndex(messages);
  if (begin < 0 || newest <= begin) return undefined;
  const [history, turn] = [messages.slice(begin, newest), repairMessages(messages.slice(newest), preset)];
  if (turn[0]?.role !== "user" || !areApart(history, turn)) return undefined;
  const json = historyJson(history, preset);
  if (json === undefined) return undefined;
  const system = repairMessages(messages.slice(0, begin), preset);
  return joined([jsonOf(system, preset), json, jsonOf(turn, preset)]);
}

/** The messages of a call as the JSON of a list. */
export const messagesJson = (messages: readonly ChatMessage[], preset: Preset): string =>
  `[${partsJson(messages, preset) ?? jsonOf(repairMessages(messages, preset), preset)}]`;

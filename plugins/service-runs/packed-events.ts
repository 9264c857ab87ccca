import type { Message, RunEvent, Write } from "@pergola/sdk";
import type { StoredEvent, StoredPieces } from "@pergola/sdk/host";

type TextEvent = Extract<RunEvent, { readonly type: "text" | "reasoning" }>;

/** Fewer characters are stored as the events they are, unless somebody says otherwise. */
const worthPacking = 1024;

/** Where the text of an event stands in a message. */
const fields = { text: "content", reasoning: "reasoningContent" } as const;

/** Finds the texts of events in the message that is stored in the same commit, one behind the other. */
class MessageTexts {
  readonly #message: Partial<Message> | undefined;
  readonly #passed = { text: 0, reasoning: 0 };

  constructor(writes: readonly Write[]) {
    const puts = writes.flatMap((write) =>
      write.collection === "messages" && "put" in write ? [write.put as Partial<Message>] : [],
    );
    this.#message = puts.findLast(({ role }) => role === "assistant");
  }

  /** The place of these texts in the message; undefined where it does not hold them. */
  find(of: TextEvent["type"], texts: readonly TextEvent[]): StoredPieces["in"] {
    const whole = this.#message?.[fields[of]] ?? "";
    const from = this.#passed[of];
    let at = from;
    for (const { text } of texts) {
      if (!whole.startsWith(text, at)) return undefined;
      at += text.length;
    }
    this.#passed[of] = at;
    return { message: this.#message?.id ?? "", at: from };
  }
}

/** What sets the texts of two model calls apart; no message holds it. */
const isSeparator = (event: RunEvent | undefined): boolean => event?.type === "text" && event.text === "\n\n";

/** The next events that are text of the same type, or the next event alone. */
function neighboursFrom(events: readonly RunEvent[], from: number): readonly RunEvent[] {
  const type = events[from]?.type;
  const isAlone = (type !== "text" && type !== "reasoning") || isSeparator(events[from]);
  if (isAlone) return events.slice(from, from + 1);
  const end = events.findIndex((event, index) => index > from && event.type !== type);
  return events.slice(from, end < 0 ? events.length : end);
}

const lengthOf = (texts: readonly TextEvent[]): number =>
  texts.reduce((sum, { text }) => sum + text.length, 0);

function packTexts(
  texts: readonly TextEvent[],
  message: MessageTexts,
  least: number,
): readonly StoredEvent[] {
  const [first] = texts as readonly [TextEvent];
  if (lengthOf(texts) < least) return texts;
  const place = message.find(first.type, texts);
  const pieces = { type: "pieces", of: first.type, lengths: texts.map(({ text }) => text.length) } as const;
  if (place !== undefined) return [{ ...pieces, in: place }];
  return [{ ...pieces, text: texts.map(({ text }) => text).join("") }];
}

/**
 * Events in the form in which they are held and stored: texts that lie side by side are one, and those that
 * stand in a message that `writes` store are not stored again.
 */
export function packEvents(
  events: readonly RunEvent[],
  writes: readonly Write[] = [],
  least = worthPacking,
): readonly StoredEvent[] {
  const message = new MessageTexts(writes);
  const packed: StoredEvent[] = [];
  for (let at = 0; at < events.length;) {
    const next = neighboursFrom(events, at);
    const isText = next[0]?.type === "text" || next[0]?.type === "reasoning";
    for (const each of isText ? packTexts(next as readonly TextEvent[], message, least) : next)
      packed.push(each);
    at += next.length;
  }
  return packed;
}

/** The events as they came. `textOf` gives what a message holds; what is gone from there is empty. */
export function unpackEvents(
  packed: readonly StoredEvent[],
  textOf: (pieces: StoredPieces) => string = ({ text = "" }) => text,
): readonly RunEvent[] {
  const events: RunEvent[] = [];
  for (const event of packed) {
    if (event.type !== "pieces") {
      events.push(event);
      continue;
    }
    const whole = textOf(event);
    let at = event.in?.at ?? 0;
    for (const length of event.lengths) {
      events.push({ type: event.of, text: whole.slice(at, at + length) });
      at += length;
    }
  }
  return events;
}

/** What the messages hold that these events refer to. */
export async function textsIn(
  packed: readonly StoredEvent[],
  read: (messageId: string) => Promise<Partial<Message> | undefined>,
): Promise<(pieces: StoredPieces) => string> {
  const ids = packed.flatMap((event) => (event.type === "pieces" ? (event.in?.message ?? []) : []));
  const messages = new Map<string, Partial<Message> | undefined>();
  for (const id of new Set(ids)) messages.set(id, await read(id));
  return ({ of, text = "", in: place }) => {
    if (place === undefined) return text;
    return messages.get(place.message)?.[fields[of]] ?? "";
  };
}

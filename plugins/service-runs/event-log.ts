import type { RunEvent, Write } from "@pergola/sdk";
import type { StoredEvent, StoredRun } from "@pergola/sdk/host";
import { eventsWrite } from "./event-store.ts";
import { packEvents, unpackEvents } from "./packed-events.ts";

/** Bytes that a reader may leave unread of what has happened since it came (interface: slow clients). */
const mostUnread = 8 * 1024 * 1024;
/** So many events make a block: the oldest, so that who follows the run never has to take one apart. */
const blockSize = 64;
/** Bytes that an event takes beside its texts, at a guess. */
const bytesOfEvent = 128;

/** Characters of text that are not stored before the message that holds them. */
const worthWaiting = 1024;

/** Somebody who follows a run. */
interface Reader {
  /** Bytes that have come since it began and that it has not read. */
  unread: number;
  wake: () => void;
  tooSlow: () => void;
}

/** Says once that a reader is too slow. */
function refuse(reader: Reader): void {
  const { tooSlow } = reader;
  reader.tooSlow = ignore;
  tooSlow();
}

/** About the bytes that an event brings its readers. */
function sizeOf(event: RunEvent): number {
  if (event.type === "text" || event.type === "reasoning") return bytesOfEvent + event.text.length;
  if (event.type === "caller_call") return bytesOfEvent + event.call.arguments.length;
  return 8 * bytesOfEvent;
}

/** Bytes of the texts that the end of a run holds once more. */
function sizeOfEnd(event: RunEvent): number {
  if (event.type !== "end") return 0;
  return event.outcome.text.length + event.outcome.reasoning.length;
}

/** Long pieces of text are not worth a copy. */
function blockOf(events: readonly RunEvent[]): readonly StoredEvent[] {
  const size = events.reduce((sum, event) => sum + sizeOf(event), 0);
  if (size > events.length * 8 * bytesOfEvent) return events;
  return packEvents(events, [], 0);
}

const isMessage = ({ collection }: Write): boolean => collection === "messages";

const ignore = (): void => undefined;

/** The numbered events of one run: those that an earlier start has stored, and what happens from then on. */
export class EventLog {
  /** How many there were at the start. */
  readonly restored: number;
  readonly #blocks: (readonly StoredEvent[])[] = [];
  /** Those behind the blocks. */
  #newest: RunEvent[] = [];
  #size = 0;
  /** How many are stored; undefined when they are not to be. */
  #storedCount: number | undefined;
  /** Characters of text that are not stored yet. */
  #unsavedText = 0;
  readonly #readers = new Set<Reader>();

  constructor(restored: readonly RunEvent[], keep: boolean) {
    this.restored = restored.length;
    for (const event of restored) this.add(event);
    if (keep) this.#storedCount = restored.length;
    this.#unsavedText = 0;
  }

  get count(): number {
    return this.#blocks.length * blockSize + this.#newest.length;
  }

  /** About the bytes that all of them hold. */
  get size(): number {
    return this.#size;
  }

  add(event: RunEvent): void {
    const size = sizeOf(event);
    this.#size += size + sizeOfEnd(event);
    if (event.type === "text" || event.type === "reasoning") this.#unsavedText += event.text.length;
    this.#newest.push(event);
    if (this.#newest.length === 2 * blockSize) this.#blocks.push(blockOf(this.#newest.splice(0, blockSize)));
    for (const reader of this.#readers) {
      reader.unread += size;
      if (reader.unread > mostUnread) refuse(reader);
      reader.wake();
    }
  }

  /**
   * The writes that store what happened since the last ones, and the end that is about to be added. What
   * stands in the messages of `writes` is not stored twice; a long text waits for its message.
   */
  writes(run: StoredRun, writes: readonly Write[] = [], end?: RunEvent): readonly Write[] {
    const from = this.#storedCount;
    if (from === undefined) return [];
    const mayWait = end === undefined && run.status === "running";
    if (mayWait && this.#unsavedText >= worthWaiting && !writes.some(isMessage)) return [];
    this.#unsavedText = 0;
    const fresh = this.#after(from);
    let endedAt: string | null = null;
    if (end !== undefined) {
      fresh.push(end);
      ({ endedAt } = run);
    }
    if (fresh.length === 0) return [];
    this.#storedCount = from + fresh.length;
    return [eventsWrite(run, from, packEvents(fresh, writes), endedAt)];
  }

  #after(count: number): RunEvent[] {
    const events: RunEvent[] = [];
    while (count + events.length < this.count) events.push(...this.#nextAfter(count + events.length));
    return events;
  }

  /** Those of the block in which the next event stands, from that on; none when there is none yet. */
  #nextAfter(count: number): readonly RunEvent[] {
    const block = this.#blocks[Math.floor(count / blockSize)];
    if (block === undefined) return this.#newest.slice(count - this.#blocks.length * blockSize);
    return unpackEvents(block).slice(count % blockSize);
  }

  /**
   * All events behind number `after`, then those that come. `tooSlow` is called once when the reader falls
   * too far behind what comes.
   */
  async *read(
    after: number,
    tooSlow: () => void = ignore,
  ): AsyncIterable<{ readonly number: number; readonly event: RunEvent }> {
    const reader: Reader = { unread: 0, wake: ignore, tooSlow };
    const known = this.count;
    this.#readers.add(reader);
    try {
      for (let [number, isOver] = [after, false]; !isOver;) {
        while (this.count <= number) await new Promise<void>((wake) => (reader.wake = wake));
        for (const event of this.#nextAfter(number)) {
          number += 1;
          reader.unread -= number > known ? sizeOf(event) : 0;
          isOver = event.type === "end";
          yield { number, event };
        }
      }
    } finally {
      this.#readers.delete(reader);
    }
  }
}

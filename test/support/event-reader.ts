import type { TestHost } from "@pergola/sdk/testing";

export interface HeardEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function eventOf(block: string): HeardEvent {
  const fields = new Map(
    block.split("\n").map((line) => {
      const end = line.indexOf(": ");
      return [line.slice(0, end), line.slice(end + 2)];
    }),
  );
  return {
    id: fields.get("id") ?? "",
    event: fields.get("event") ?? "",
    data: JSON.parse(fields.get("data") ?? "null") as HeardEvent["data"],
  };
}

/** A reader of GET /api/events; `events` grows as they come. */
export interface EventReader {
  readonly events: readonly HeardEvent[];
  /** The first event that fits, now or later; rejects after ten seconds. */
  find(fits: (event: HeardEvent) => boolean): Promise<HeardEvent>;
  /** Resolves when the service has ended the stream. */
  readonly ended: Promise<void>;
  leave(): void;
}

/** Opens the stream, and reads it until it is left. */
export async function readEvents(
  host: TestHost,
  query = "",
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const leaving = new AbortController();
  const answer = await fetch(`${host.url}/api/events${query}`, { headers, signal: leaving.signal });
  if (!answer.ok) throw new Error(await answer.text());
  const events: HeardEvent[] = [];
  const read = async (): Promise<void> => {
    let text = "";
    for await (const bytes of answer.body ?? []) {
      const blocks = (text + Buffer.from(bytes).toString()).split("\n\n");
      text = blocks.pop() ?? "";
      events.push(...blocks.filter((block) => !block.startsWith(":")).map(eventOf));
    }
  };
  const find: EventReader["find"] = async (fits) => {
    for (const end = Date.now() + 10_000; Date.now() < end;) {
      const found = events.find(fits);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`No such event among ${JSON.stringify(events)}`);
  };
  return {
    events,
    find,
    ended: read().catch(() => undefined),
    leave: () => leaving.abort(),
  };
}

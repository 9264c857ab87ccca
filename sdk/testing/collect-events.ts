import type { ModelEvent } from "@pergola/sdk";

/** Everything a stream yields, and what it ended with. */
export async function collectEvents(
  stream: AsyncIterable<ModelEvent>,
): Promise<{ readonly events: readonly ModelEvent[]; readonly error: unknown }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

/** The text, or the reasoning, in a list of events. */
export const textOfEvents = (events: readonly ModelEvent[], type: "text" | "reasoning" = "text"): string =>
  events.map((event) => (event.type === type && "text" in event ? event.text : "")).join("");

/** How an answer ended: its last event, and the model that this names. */
export function lastOfEvents(events: readonly ModelEvent[]): {
  readonly last: ModelEvent | undefined;
  readonly model: string | undefined;
} {
  const last = events.at(-1);
  if (last?.type !== "end") return { last, model: undefined };
  const { model, ...rest } = last;
  return { last: rest, model };
}

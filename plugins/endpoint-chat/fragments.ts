import type { ServerEvent } from "@pergola/sdk";

/** Text that a chunk carries in its delta. */
export interface Fragment {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

interface Held {
  readonly first: ServerEvent;
  readonly last: ServerEvent;
  readonly type: Fragment["type"];
  readonly texts: string[];
}

const fields = { text: "content", reasoning: "reasoning_content" } as const;

/** One chunk with all their text, under the number of the last one. */
function joined({ first, last, type, texts }: Held): ServerEvent {
  if (first === last) return first;
  const { choices, ...chunk } = JSON.parse(first.data) as { readonly choices: readonly object[] };
  const delta = { [fields[type]]: texts.join("") };
  return { ...last, data: JSON.stringify({ ...chunk, choices: [{ ...choices[0], delta }] }) };
}

/** Joins fragments of text that lie side by side. */
export class Fragments {
  #held: Held | undefined;

  /** What may go on; a fragment that `mayWait` is held for the next ones of its type. */
  *take(event: ServerEvent, fragment: Fragment | undefined, mayWait: boolean): Iterable<ServerEvent> {
    if (fragment?.type !== this.#held?.type) yield* this.release();
    if (fragment === undefined) {
      yield event;
      return;
    }
    const { first = event, texts = [] } = this.#held ?? {};
    texts.push(fragment.text);
    this.#held = { first, last: event, type: fragment.type, texts };
    if (!mayWait) yield* this.release();
  }

  *release(): Iterable<ServerEvent> {
    if (this.#held !== undefined) yield joined(this.#held);
    this.#held = undefined;
  }
}

import type { EndpointAnswer, EndpointRequest, Route, ServerEvent } from "@pergola/sdk";
import { promised } from "../../support/promised.ts";
import { openDoor, type DoorSettings } from "./open-door.ts";

/** A stream whose events the test sends; it notes when it is told to return. */
export class Source implements AsyncIterable<ServerEvent> {
  readonly returned = promised();
  pulled = 0;
  #waiting: (result: IteratorResult<ServerEvent>) => void = () => {};
  readonly #queue: IteratorResult<ServerEvent>[] = [];

  send(data: string): void {
    this.#push({ done: false, value: { data } });
  }

  end(): void {
    this.#push({ done: true, value: undefined });
  }

  #push(result: IteratorResult<ServerEvent>): void {
    this.#queue.push(result);
    this.#waiting(result);
  }

  [Symbol.asyncIterator](): AsyncIterator<ServerEvent> {
    return {
      next: async () => {
        if (this.#queue.length === 0) await new Promise((resolve) => (this.#waiting = resolve));
        this.pulled++;
        return this.#queue.shift() as IteratorResult<ServerEvent>;
      },
      return: async () => {
        this.returned.keep();
        return { done: true, value: undefined };
      },
    };
  }
}

export const route = (answer: (request: EndpointRequest) => EndpointAnswer): Route => ({
  method: "GET",
  path: "/events",
  scope: "read",
  summary: "",
  handle: answer,
});
export const streamOf = (events: AsyncIterable<ServerEvent>, settings: DoorSettings = {}) =>
  openDoor([route(() => ({ events }))], settings);

export async function* all<T>(...items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

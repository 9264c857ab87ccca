import type { ModelEvent, ProviderResponse } from "../contract/provider.ts";
import { AnswerConnection } from "./answer-connection.ts";
import { AnswerReader, type ReaderOptions } from "./answer-reader.ts";
import { fairTurns } from "./fair-turns.ts";

/** Options of `streamAnswer`. */
export interface AnswerOptions extends ReaderOptions {
  /** Sends the request. The signal is the connection's; it aborts with the caller's. */
  readonly ask: (signal: AbortSignal) => Promise<ProviderResponse>;
}

/**
 * One streamed answer of a provider, from the request to the `end` event: server-sent events, a JSON
 * document or lines of JSON, wherever it is cut. It ends at once when the signal aborts, and rejects with
 * what `failures` makes of an answer that is broken, damaged, silent or none.
 */
export async function* streamAnswer(
  { ask, ...options }: AnswerOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const connection = new AnswerConnection(signal);
  const reader = new AnswerReader(options);
  try {
    const { body } = await ask(connection.signal);
    while (!reader.isOver) {
      let bytes: Uint8Array | undefined;
      try {
        bytes = bytesIn(await connection.next(body));
      } catch (error) {
        connection.signal.throwIfAborted();
        expectWhole(reader, options.failures.connectionFailed(error));
      }
      const turn = fairTurns.take(bytes?.length ?? 0);
      if (turn !== undefined) await turn;
      for (const event of reader.take(bytes)) {
        signal.throwIfAborted();
        yield event;
      }
      signal.throwIfAborted();
    }
    if (reader.failure !== undefined) throw reader.failure;
  } finally {
    await connection.release(reader.finished);
  }
}

const bytesIn = ({ done, value }: IteratorResult<Uint8Array>): Uint8Array | undefined =>
  done === true ? undefined : value;

/** A connection that breaks once the answer is whole has only ended. */
function expectWhole({ finished }: AnswerReader, broken: Error): void {
  if (!finished) throw broken;
}

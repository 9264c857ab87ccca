import type { ModelEvent, ProviderResponse } from "../contract/provider.ts";
import { AnswerConnection } from "./answer-connection.ts";
import { AnswerReader, type ReaderOptions } from "./answer-reader.ts";
import { fairTurns } from "./fair-turns.ts";
import type { ProviderFailures } from "./provider-failures.ts";

/** Options of `streamAnswer`. */
export interface AnswerOptions extends ReaderOptions {
  /** Sends the request. The signal is the connection's; it aborts with the caller's. */
  readonly ask: (signal: AbortSignal) => Promise<ProviderResponse>;
}

/**
 * One streamed answer of a provider, from the request to the `end` event: server-sent events or a JSON
 * document, wherever it is cut. It ends at once when the signal aborts, and rejects with what `failures`
 * makes of an answer that is broken, damaged, silent or none.
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
      const bytes = await nextOf(connection, body, reader, options.failures);
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

/** The next bytes; undefined at the end. A connection that breaks once the answer is whole has only ended. */
async function nextOf(
  connection: AnswerConnection,
  body: ProviderResponse["body"],
  reader: AnswerReader,
  failures: ProviderFailures,
): Promise<Uint8Array | undefined> {
  try {
    const step = await connection.next(body);
    if (step.done === true) return undefined;
    const turn = fairTurns.take(step.value.length);
    if (turn !== undefined) await turn;
    return step.value;
  } catch (error) {
    connection.signal.throwIfAborted();
    if (reader.finished) return undefined;
    throw failures.connectionFailed(error);
  }
}

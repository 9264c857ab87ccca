import type { LlamaContextSequence, Token } from "node-llama-cpp";

/**
 * Milliseconds that a piece of a prompt may take: what was begun cannot be stopped, so pieces are as long as
 * a cancel may wait.
 */
const batch = 300;
const least = 16;

/**
 * Reads a prompt up to its last token, but for what the sequence has read before. Rejects with the signal's
 * reason between two pieces. Gives the number of tokens that had not to be read again.
 */
export async function readPrompt(
  sequence: LlamaContextSequence,
  tokens: readonly Token[],
  batchSize: number,
  signal: AbortSignal,
): Promise<number> {
  const known = tokens.slice(0, -1);
  await sequence.adaptStateToTokens(known, false);
  const cached = sequence.nextTokenIndex;
  let length = Math.min(64, batchSize);
  for (let at = cached; at < known.length;) {
    signal.throwIfAborted();
    const begun = performance.now();
    await sequence.evaluateWithoutGeneratingNewTokens(known.slice(at, at + length));
    at += length;
    const took = Math.max(1, performance.now() - begun);
    length = Math.max(least, Math.min(batchSize, length * 4, Math.floor((length * batch) / took)));
  }
  signal.throwIfAborted();
  return cached;
}

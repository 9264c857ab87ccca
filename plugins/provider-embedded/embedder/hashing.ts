import { dimensions, type Embedder, unit } from "./embedder.ts";

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}

/** The words of a text, and the letter triples of each, so that forms of one word are near each other. */
function* features(text: string): Iterable<readonly [feature: string, weight: number]> {
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    yield [word, 1];
    const padded = `<${word}>`;
    for (let index = 0; index + 3 <= padded.length; index++) yield [padded.slice(index, index + 3), 0.3];
  }
}

function embedText(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [feature, weight] of features(text)) {
    const value = hash(feature);
    const axis = value % dimensions;
    vector[axis] = (vector[axis] ?? 0) + (value & 0x80000000 ? -weight : weight);
  }
  return unit(vector);
}

/**
 * Vectors from hashed words: no meaning, but related words and forms come out near. The last resort without
 * model weights.
 */
export class Hashing implements Embedder {
  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    signal.throwIfAborted();
    return texts.map(embedText);
  }

  async close(): Promise<void> {}
}

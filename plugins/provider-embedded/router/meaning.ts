import { cosine } from "../embedder/embedder.ts";
import type { VectorCache } from "../embedder/vector-cache.ts";
import { naturalText } from "../phrase/natural-text.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Route } from "./catalogue.ts";

/** What is embedded of a route: its examples, or its description when it has none. */
export const textsOf = ({ examples, description }: Route): readonly string[] =>
  examples.length === 0 ? [description] : examples.map(({ natural }) => natural);

/** The cosine of a phrase to the nearest example of each route. Rejects as the embedder does. */
export async function meaningOf(
  phrase: Phrase,
  routes: readonly Route[],
  vectors: VectorCache,
  signal: AbortSignal,
): Promise<ReadonlyMap<Route, number>> {
  const texts = routes.map(textsOf);
  const [asked, ...found] = await vectors.vectorsOf([naturalText(phrase), ...texts.flat()], signal);
  let next = 0;
  return new Map(
    routes.map((route, index) => {
      const own = found.slice(next, (next += texts[index]?.length ?? 0));
      return [route, Math.max(...own.map((vector) => cosine(vector, asked as Float32Array)))] as const;
    }),
  );
}

import { cosine } from "../embedder/embedder.ts";
import type { VectorCache } from "../embedder/vector-cache.ts";
import type { Route } from "../examples/routes.ts";
import { type Features, featuresOf, preparedRoute, sentencesOf } from "./likeness.ts";

const weights = { meaning: 1, words: 0.5, known: 0.3 } as const;

type Rarity = (keys: Iterable<string>) => number;

/** How much words tell: those that few routes know tell more. */
function rarityIn(routes: readonly Route[]): Rarity {
  const counts = new Map<string, number>();
  for (const route of routes)
    for (const key of preparedRoute(route).keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const rarity = (key: string): number => Math.log((2 + routes.length) / (1 + (counts.get(key) ?? 0)));
  return (keys) => [...keys].reduce((sum, key) => sum + rarity(key), 0);
}

const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): readonly string[] =>
  [...a].filter((key) => b.has(key));

function scoreOf(features: Features, route: Route, rarity: Rarity, likeness: readonly number[]): number {
  const { examples, keys } = preparedRoute(route);
  const total = rarity(features.keys) || 1;
  const best = examples.map((example, index) => {
    const common = rarity(shared(features.keys, example.keys));
    const words = common / (total + rarity(example.keys) - common || 1);
    return weights.words * words + weights.meaning * (likeness[index] ?? 0);
  });
  const nearest = Math.max(weights.meaning * (likeness[0] ?? 0), ...best);
  return nearest + (weights.known * rarity(shared(features.keys, keys))) / total;
}

/** How near each sentence is in meaning. Empty without vectors: then the words alone decide. */
async function meaningOf(
  text: string,
  sentences: readonly string[],
  vectors: VectorCache | undefined,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const ready = await vectors?.readyVectors(sentences);
  if (vectors === undefined || ready === undefined) return [];
  try {
    const [own] = await vectors.vectorsOf([text], signal);
    return ready.map((vector) => cosine(own as Float32Array, vector));
  } catch (error) {
    if (signal.aborted) throw error;
    return [];
  }
}

/** The routes, the likeliest to be meant first. Rejects with the signal's reason. */
export async function rankRoutes(
  say: string,
  routes: readonly Route[],
  vectors: VectorCache | undefined,
  signal: AbortSignal,
): Promise<readonly Route[]> {
  const features = featuresOf(say);
  const rarity = rarityIn(routes);
  const sentences = routes.map(sentencesOf);
  const meaning = await meaningOf(features.sentence, sentences.flat(), vectors, signal);
  let next = 0;
  const scored = routes.map((route, index) => {
    const first = next;
    next += sentences[index]?.length ?? 0;
    return { route, score: scoreOf(features, route, rarity, meaning.slice(first, next)) };
  });
  return scored.toSorted((a, b) => b.score - a.score).map(({ route }) => route);
}

// Makes the vectors of the standard tools' examples for the built-in guide, those that are not in the cache:
//   node --conditions=source --import tsx scripts/guide-vectors.ts
// The build of packages runs it, and so does `npm test`. Without it the guide makes the vectors itself.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  packVectors,
  shortDigest,
  unpackVectors,
} from "../plugins/provider-embedded/embedder/known-vectors.ts";
import { MiniLm } from "../plugins/provider-embedded/embedder/minilm.ts";
import { digestOf } from "../plugins/provider-embedded/embedder/vector-cache.ts";
import { routesOf } from "../plugins/provider-embedded/examples/routes.ts";
import { sentencesOf } from "../plugins/provider-embedded/nearest/likeness.ts";
import { loadCatalogue } from "../test/bench/guide/catalogue.ts";

const cache = path.resolve(import.meta.dirname, "..", "node_modules/.cache/pergola/guide-vectors.bin");
const log = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };

const before = existsSync(cache) ? unpackVectors(readFileSync(cache)) : new Map<string, Float32Array>();
const sentences = [...new Set(routesOf(await loadCatalogue()).flatMap(sentencesOf))].sort();
const digests = new Map(sentences.map((sentence) => [sentence, shortDigest(digestOf(sentence))]));
const missing = sentences.filter((sentence) => !before.has(digests.get(sentence) ?? ""));
const minilm = new MiniLm({ log });
const made = missing.length === 0 ? [] : await minilm.embed(missing, AbortSignal.timeout(600_000));
await minilm.close();
const fresh = new Map(missing.map((sentence, index) => [digests.get(sentence), made[index]]));
const all = [...digests.values()].map((digest) => [digest, before.get(digest) ?? fresh.get(digest)] as const);
const packed = packVectors(new Map(all.flatMap(([digest, vector]) => (vector ? [[digest, vector]] : []))));

if (missing.length > 0 || before.size !== digests.size) {
  mkdirSync(path.dirname(cache), { recursive: true });
  writeFileSync(`${cache}.${process.pid}`, packed);
  renameSync(`${cache}.${process.pid}`, cache);
}

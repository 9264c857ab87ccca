import { expect } from "chai";
import { needsPostgres } from "../../../plugins/storage-postgres/test/support/postgres-server.ts";
import { askCorpus, ways, type Asked } from "./ask-corpus.ts";
import type { Corpus, Embed } from "./corpus.ts";
import { madeUp } from "./made-up.ts";
import { embedder } from "./quality.ts";
import { retrievalOf } from "./retrieval.ts";

/** Some questions of a corpus with their answers, and of the other memories one in so many. */
function thinned({ batches, questions: all, askedAt }: Corpus, count: number, one: number): Corpus {
  const questions = all.slice(0, count);
  const answers = new Set(questions.flatMap(({ right }) => right));
  const kept = batches.flatMap((_, index) => (answers.has(index) || index % one === 0 ? [index] : []));
  const places = new Map(kept.map((index, place) => [index, place]));
  return {
    batches: kept.map((index) => batches[index]!),
    questions: questions.map(({ text, right }) => ({
      text,
      right: right.map((index) => places.get(index)!),
    })),
    askedAt,
  };
}

describe("what is found in memory", function () {
  this.timeout(120_000);
  let embed: Embed;
  let close: () => Promise<void>;
  before(needsPostgres);
  before(() => void ({ embed, close } = embedder()));
  after(() => close?.());

  it("R@10 in PostgreSQL is within one point of that in SQLite, by words, by vectors and by both", async () => {
    const corpus = thinned(madeUp("other"), 40, 12);
    const recalls = ({ found }: Asked) => ways.map((way) => retrievalOf(found[way]).recall10);
    const sqlite = recalls(await askCorpus(corpus, embed, "sqlite", false));
    const postgres = recalls(await askCorpus(corpus, embed, "postgres", false));
    for (const [at, way] of ways.entries())
      expect(postgres[at], `${way}: ${sqlite[at]} in SQLite`).to.be.closeTo(sqlite[at]!, 0.01);
    // Where nothing is found, two storages are alike too.
    expect(postgres[ways.indexOf("merged")]).to.be.above(0.9);
  });
});

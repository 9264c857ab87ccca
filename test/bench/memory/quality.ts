import { MiniLm } from "../../../plugins/provider-embedded/embedder/minilm.ts";
import { serverPrograms } from "../../../plugins/storage-postgres/test/support/postgres-server.ts";
import { missing, type Figure } from "../report.ts";
import { askCorpus, ways, type Asked } from "./ask-corpus.ts";
import type { Corpus, Embed } from "./corpus.ts";
import { crossValidated } from "./cross-validate.ts";
import { readLocomo } from "./locomo.ts";
import { madeUp } from "./made-up.ts";
import type { StorageType } from "./open-corpus.ts";
import { retrievalOf, type Found, type Retrieval } from "./retrieval.ts";

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Vectors of all-MiniLM-L6-v2, each text's once. */
export function embedder(): { readonly embed: Embed; readonly close: () => Promise<void> } {
  const model = new MiniLm({ log: silent });
  const known = new Map<string, Float32Array>();
  const embed: Embed = async (texts) => {
    const missing = [...new Set(texts)].filter((text) => !known.has(text));
    const made = missing.length === 0 ? [] : await model.embed(missing, new AbortController().signal);
    for (const [index, text] of missing.entries()) known.set(text, made[index]!);
    return texts.map((text) => known.get(text)!);
  };
  return { embed, close: () => model.close() };
}

/**
 * How well memories are found, in SQLite and in PostgreSQL: those of a generator, and the dialogues of LoCoMo
 * where `PERGOLA_LOCOMO` names the file.
 */
export async function retrievalQuality(): Promise<readonly Figure[]> {
  const { embed, close } = embedder();
  try {
    return await qualityWith(embed, process.env["PERGOLA_LOCOMO"]);
  } finally {
    await close();
  }
}

const wordings = [
  ["made up, asked in the same words", "same"],
  ["made up, asked in other words", "other"],
] as const;

/** The made-up memories with the questions of all wordings, whose titles are their categories. */
function allWordings(): Corpus {
  const questions = wordings.flatMap(([category, wording]) =>
    madeUp(wording).questions.map((question) => ({ ...question, category })),
  );
  return { ...madeUp("same"), questions };
}

async function qualityWith(embed: Embed, locomo: string | undefined): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  if (locomo === undefined)
    figures.push(missing("P16", "LoCoMo: how well memories are found", "PERGOLA_LOCOMO names no file"));
  const asked = await askBoth([allWordings()], embed);
  for (const [title] of wordings) figures.push(...reportOf(title, onlyOf(asked, title)));
  if (locomo !== undefined) figures.push(...reportOf("LoCoMo", await askBoth(readLocomo(locomo), embed)));
  return figures;
}

/** What the questions of some corpora found, in each storage that is there. */
interface InBoth {
  readonly sqlite: readonly Asked[];
  readonly postgres: readonly Asked[] | undefined;
}

async function askBoth(corpora: readonly Corpus[], embed: Embed): Promise<InBoth> {
  const askIn = async (type: StorageType): Promise<readonly Asked[]> => {
    const asked: Asked[] = [];
    for (const corpus of corpora) asked.push(await askCorpus(corpus, embed, type, corpora.length > 1));
    return asked;
  };
  const sqlite = await askIn("sqlite");
  return { sqlite, postgres: serverPrograms() === undefined ? undefined : await askIn("postgres") };
}

/** The questions of one category, which then is that of all of them. */
function onlyOf({ sqlite, postgres }: InBoth, wanted: string): InBoth {
  const without = ({ category: _, ...found }: Found): Found => found;
  const part = (all: readonly Found[]): readonly Found[] =>
    all.filter(({ category }) => category === wanted).map(without);
  const only = ({ found, ranked }: Asked): Asked => ({
    found: Object.fromEntries(ways.map((way) => [way, part(found[way])])) as unknown as Asked["found"],
    ranked,
  });
  return { sqlite: sqlite.map(only), postgres: postgres?.map(only) };
}

function reportOf(title: string, { sqlite, postgres }: InBoth): readonly Figure[] {
  const merged = tell(`${title} (sqlite)`, sqlite);
  const own = sqlite.length > 1 ? figuresOf(title, merged) : [madeUpFigure(title, merged)];
  return [...own, besidePostgres(title, postgres, merged)];
}

/** Of the questions that SQLite answers, PostgreSQL may miss one in a hundred. */
const tolerance = 0.01;

function besidePostgres(title: string, asked: readonly Asked[] | undefined, inSqlite: Retrieval): Figure {
  const what = `${title}, in PostgreSQL: recall_any@10`;
  if (asked === undefined) return missing("P16", what, "PostgreSQL is not installed");
  const { recall10, recall5, mrr } = tell(`${title} (postgres)`, asked);
  return {
    id: "P16",
    what,
    value: recall10,
    unit: "",
    goal: Number((inSqlite.recall10 - tolerance).toFixed(3)),
    atLeast: true,
    detail: `@5 ${share(recall5).trim()}, MRR ${share(mrr).trim()}`,
  };
}

/**
 * One line for each way and each category of questions; with several corpora also one with weights that were
 * fitted to the others.
 */
function tell(title: string, asked: readonly Asked[]): Retrieval {
  process.stdout.write(`${title}\n`);
  const all = ways.map(
    (way) => [way, retrievalOf(asked.flatMap(({ found }): readonly Found[] => found[way]))] as const,
  );
  for (const [way, retrieval] of all) line(way, retrieval);
  const merged = asked.flatMap(({ found }) => found.merged);
  const kinds = new Set(merged.flatMap(({ category }) => category ?? []));
  for (const kind of kinds)
    line(`merged, ${kind}`, retrievalOf(merged.filter(({ category }) => category === kind)));
  if (asked.length > 1) line("merged, cross-validated", crossValidated(asked.map(({ ranked }) => ranked)));
  return all.find(([way]) => way === "merged")![1];
}

function line(way: string, { questions, recall10, recall5, mrr, tokens, milliseconds }: Retrieval): void {
  const costs = [
    tokens > 0 && `${tokens.toFixed(0)} tokens`,
    milliseconds > 0 && `${milliseconds.toFixed(2)} ms`,
  ].filter(Boolean);
  const shares = [`R@10 ${share(recall10)}`, `R@5 ${share(recall5)}`, `MRR ${share(mrr)}`].join("  ");
  process.stdout.write(
    `  ${way.padEnd(24)} ${shares}  (${[`${questions} questions`, ...costs].join(", ")})\n`,
  );
}

const share = (value: number): string => value.toFixed(3).replace("0.", ".").padStart(5);

const madeUpFigure = (what: string, { recall10, recall5, mrr }: Retrieval): Figure => ({
  id: "P16",
  what: `${what}: recall_any@10`,
  value: recall10,
  unit: "",
  detail: `@5 ${share(recall5).trim()}, MRR ${share(mrr).trim()}`,
});

function figuresOf(what: string, { recall10, recall5, mrr, tokens }: Retrieval): readonly Figure[] {
  const atLeast = (name: string, value: number, goal: number, before: string): Figure => ({
    id: "P16",
    what: `${what}: ${name}`,
    value,
    unit: "",
    goal,
    atLeast: true,
    before,
  });
  return [
    atLeast("recall_any@10", recall10, 0.85, ".825"),
    atLeast("recall_any@5", recall5, 0.78, ".758"),
    atLeast("MRR", mrr, 0.62, ".609"),
    { id: "P16", what: `${what}: tokens of ten hits`, value: tokens, unit: "", goal: 600 },
  ];
}

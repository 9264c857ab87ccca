import { readFileSync } from "node:fs";
import type { Batch, Corpus, Question } from "./corpus.ts";

interface Turn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
}

interface Dialogue {
  readonly conversation: Readonly<Record<string, string | readonly Turn[]>>;
  readonly qa: readonly {
    readonly question: string;
    readonly evidence: readonly string[];
    readonly category: number;
  }[];
}

/** Questions of this category have no answer in the dialogue. */
const withoutAnswer = 5;
/** The others, by their numbers. */
const categories = ["", "multi-hop", "temporal", "open-domain", "single-hop"];

const contentOf = ({ speaker, text, blip_caption: shown }: Turn): string =>
  `${speaker}: ${text}${shown === undefined ? "" : ` (shows ${shown})`}`;

/** Such as "1:56 pm on 8 May, 2023". */
const timeOf = (text: string): Date => new Date(`${text.replace(/^(.*) on (.*)$/, "$2 $1")} UTC`);

function corpusOf({ conversation, qa }: Dialogue): Corpus {
  const sessions = Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .toSorted((a, b) => Number(a.slice(8)) - Number(b.slice(8)));
  const turnsOf = (key: string): readonly Turn[] => conversation[key] as readonly Turn[];
  const batches = sessions.map((key): Batch => ({
    at: timeOf(conversation[`${key}_date_time`] as string),
    drafts: turnsOf(key).map((turn) => ({ content: contentOf(turn), origin: "user" })),
  }));
  const places = new Map(sessions.flatMap(turnsOf).map(({ dia_id: id }, index) => [id, index]));
  const questions = qa
    .filter(({ category }) => category !== withoutAnswer)
    .map(({ question, evidence, category }): Question => {
      const named = evidence.flatMap((text) => text.split(/[;,\s]+/));
      const right = named.flatMap((id) => places.get(id) ?? []);
      return { text: question, right, category: categories[category]! };
    })
    .filter(({ right }) => right.length > 0);
  return { batches, questions, askedAt: batches.at(-1)!.at };
}

/**
 * The dialogues of a LoCoMo file: a memory for each turn, and the questions whose answers are in the turns.
 */
export const readLocomo = (file: string): readonly Corpus[] =>
  (JSON.parse(readFileSync(file, "utf8")) as readonly Dialogue[]).map(corpusOf);

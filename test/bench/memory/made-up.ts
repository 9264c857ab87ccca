import type { MemoryDraft } from "@pergola/sdk";
import type { Batch, Corpus, Question } from "./corpus.ts";
import { randomFrom } from "./random.ts";

const names =
  "Anna Boris Clara David Elena Farid Greta Hugo Ines Jonas Karin Leo Mara Nils Olga Pablo Rosa Stefan Tara Umar".split(
    " ",
  );
const [cities, jobs, pets, foods, hobbies, cars] = [
  "Lisbon Oslo Turin Ghent Porto Riga Basel Cork Graz Lyon".split(" "),
  "nurse carpenter teacher pilot baker lawyer welder dentist gardener librarian".split(" "),
  "cat dog parrot hamster tortoise rabbit canary ferret goat pony".split(" "),
  "peanuts shellfish gluten lactose eggs soy celery mustard sesame strawberries".split(" "),
  "sailing knitting climbing painting fishing baking skiing birdwatching cycling dancing".split(" "),
  "red Volvo,blue Fiat,grey Skoda,green Mini,black Seat,white Opel,silver Kia,old Saab,yellow Smart,electric Renault".split(
    ",",
  ),
];

/** What can be known of a person: how it is stored, how it is asked for in the same words, and in others. */
interface Subject {
  readonly values: readonly string[];
  readonly stored: (name: string, value: string) => string;
  readonly asked: (name: string) => string;
  readonly paraphrased: (name: string) => string;
  /** It can change: then there is an older value too. */
  readonly changes: boolean;
}

const subjects: readonly Subject[] = [
  {
    values: cities,
    stored: (n, v) => `${n} lives in ${v}`,
    asked: (n) => `Where does ${n} live?`,
    paraphrased: (n) => `Which town is ${n}'s home?`,
    changes: true,
  },
  {
    values: jobs,
    stored: (n, v) => `${n} works as a ${v}`,
    asked: (n) => `What does ${n} work as?`,
    paraphrased: (n) => `What is ${n}'s profession?`,
    changes: true,
  },
  {
    values: cars,
    stored: (n, v) => `${n} drives a ${v}`,
    asked: (n) => `What does ${n} drive?`,
    paraphrased: (n) => `What vehicle does ${n} own?`,
    changes: true,
  },
  {
    values: pets,
    stored: (n, v) => `${n} keeps a ${v}`,
    asked: (n) => `What does ${n} keep?`,
    paraphrased: (n) => `What pet does ${n} have?`,
    changes: false,
  },
  {
    values: foods,
    stored: (n, v) => `${n} cannot eat ${v}`,
    asked: (n) => `What can ${n} not eat?`,
    paraphrased: (n) => `What is ${n} allergic to?`,
    changes: false,
  },
  {
    values: hobbies,
    stored: (n, v) => `${n} spends the weekends ${v}`,
    asked: (n) => `How does ${n} spend the weekends?`,
    paraphrased: (n) => `What is ${n}'s favourite hobby?`,
    changes: false,
  },
];

const things = "meeting,train,soup,film,weather,printer,garden,invoice,concert,report".split(",");
const opinions =
  "late,far too long,better than expected,cancelled,broken again,worth it,noisy,a surprise,expensive,nearly done".split(
    ",",
  );

const day = 86_400_000;
const begun = Date.UTC(2025, 0, 1);

interface Made {
  readonly at: number;
  readonly content: string;
  /** The question that it answers best; the older value of the same thing does not. */
  readonly key?: string;
}

/**
 * What is stored, in no order: values, older values of what has changed, some of it twice, and talk about the
 * same people.
 */
function memories(random: () => number): readonly Made[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const made: Made[] = [];
  for (const name of names)
    for (const [number, { values, stored, changes }] of subjects.entries()) {
      const value = pick(values);
      const [key, at] = [`${number} ${name}`, begun + day * (300 + Math.floor(random() * 200))];
      made.push({ at, content: stored(name, value), key });
      if (random() < 0.25) made.push({ at: at + 10 * day, content: stored(name, value), key });
      const other = values[(values.indexOf(value) + 1 + Math.floor(random() * 8)) % values.length]!;
      if (changes && random() < 0.6) made.push({ at: at - 200 * day, content: stored(name, other) });
    }
  for (let line = 0; line < 1200; line++) {
    const speaker = pick(names);
    const other = pick(names.filter((name) => name !== speaker));
    const content = `${speaker} told ${other} that the ${pick(things)} was ${pick(opinions)}${random() < 0.3 ? ", did you know?" : ""}`;
    made.push({ at: begun + Math.floor(random() * 500) * day, content });
  }
  return made.toSorted((a, b) => a.at - b.at);
}

/**
 * Memories whose answers are known by the way they were made; `wording` says whether questions use the words
 * that were stored.
 */
export function madeUp(wording: "same" | "other", seed = 42): Corpus {
  const made = memories(randomFrom(seed));
  const batches = made.map(({ at, content }, index): Batch => {
    const draft: MemoryDraft = { content, origin: "user" };
    return { at: new Date(at + index * 1000), drafts: [draft] };
  });
  const questions = names.flatMap((name) =>
    subjects.map(({ asked, paraphrased }, number): Question => {
      const right = made.flatMap(({ key }, index) => (key === `${number} ${name}` ? [index] : []));
      return { text: wording === "same" ? asked(name) : paraphrased(name), right };
    }),
  );
  return { batches, questions, askedAt: new Date(begun + 510 * day) };
}

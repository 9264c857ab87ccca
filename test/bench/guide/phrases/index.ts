import type { Phrase } from "../phrase.ts";
import { changing } from "./changing.ts";
import { families } from "./families/index.ts";
import { familiesVaried } from "./families-varied.ts";
import { filesVaried } from "./files-varied.ts";
import { moreFamiliesVaried } from "./more-families-varied.ts";
import { reading, thinking } from "./reading.ts";
import { searching } from "./searching.ts";
import { talking, tempting } from "./talking.ts";
import { temptingVaried } from "./tempting-varied.ts";
import { moreVaried } from "./more-varied.ts";
import { varied } from "./varied.ts";

const groups: Readonly<Record<string, readonly Phrase[]>> = {
  reading,
  thinking,
  searching,
  changing,
  talking,
  tempting,
  ...families,
};

export type Half = "tuning" | "held-out";

const alternate = (phrases: readonly Phrase[], half: Half): readonly Phrase[] =>
  phrases.filter((_, index) => (index % 2 === 0) === (half === "tuning"));

/**
 * The groups of one half: of each group the first, third … phrase is for tuning, the second, fourth … is held
 * out. The varied ones are for tuning only.
 */
export const groupsOf = (half: Half): Readonly<Record<string, readonly Phrase[]>> => {
  const halves = Object.fromEntries(
    Object.entries(groups).map(([name, phrases]) => [name, alternate(phrases, half)]),
  );
  return half === "tuning"
    ? { ...halves, varied, moreVaried, filesVaried, familiesVaried, moreFamiliesVaried, temptingVaried }
    : halves;
};

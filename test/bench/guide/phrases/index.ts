import type { Phrase } from "../phrase.ts";
import { actingVaried } from "./acting-varied.ts";
import { changingVaried } from "./changing-varied.ts";
import { creating } from "./creating.ts";
import { editing } from "./editing.ts";
import { families } from "./families/index.ts";
import { filesVaried } from "./files-varied.ts";
import { keepingVaried } from "./keeping-varied.ts";
import { lookingVaried } from "./looking-varied.ts";
import { moreFamiliesVaried } from "./more-families-varied.ts";
import { reading, thinking } from "./reading.ts";
import { searching } from "./searching.ts";
import { talking, tempting } from "./talking.ts";
import { talkingVaried } from "./talking-varied.ts";
import { temptingVaried } from "./tempting-varied.ts";
import { moreVaried } from "./more-varied.ts";

const groups: Readonly<Record<string, readonly Phrase[]>> = {
  reading,
  thinking,
  searching,
  changing: [...creating, ...editing],
  talking,
  tempting,
  ...families,
};

/** Each operation in other words than elsewhere: looser, longer and more oddly put. */
const varied: Readonly<Record<string, readonly Phrase[]>> = {
  varied: [...lookingVaried, ...changingVaried, ...talkingVaried],
  moreVaried,
  filesVaried,
  familiesVaried: [...actingVaried, ...keepingVaried],
  moreFamiliesVaried,
  temptingVaried,
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
  return half === "tuning" ? { ...halves, ...varied } : halves;
};

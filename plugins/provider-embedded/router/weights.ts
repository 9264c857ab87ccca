/**
 * How the evidence for a route is added up. Set on the tuning half of the phrase bench (test/bench/guide).
 */
export const weights = {
  /** The share of the words, and of the meaning, in the likeness to the nearest example. */
  example: 0.5,
  meaning: 0.5,
  /** What the words count when the meaning disagrees with them. */
  wordsOnly: 0.75,
  likeness: 0.7,
  name: 0.1,
  about: 0.08,
  action: 0.12,
  missing: -0.15,
  leftover: -0.07,
  loose: -0.07,
  unused: -0.15,
  lonely: -0.1,
  familiar: 0.05,
  strange: -0.08,
  mentioned: 0.5,
  foreign: -0.06,
  /** For a leading verb that only this route knows. */
  unmistakable: 0.06,
  idle: -0.08,
  contrary: -0.25,
  talked: -0.15,
  doubt: -0.3,
  preferred: 0.12,
  /** For the pattern of an example, and for each of its values of a narrow type. */
  framed: 0.12,
  exact: 0.1,
  typed: 0.12,
} as const;

/** Scores from which something is done. */
export const floors = {
  /** Certain enough to leave the meaning of the sentence unasked. */
  certain: 0.5,
  /** How far the best must be ahead of the next for that. */
  lead: 0.12,
  /** Below it nothing is likely, and the meaning is not asked either. */
  hopeless: 0.12,
  /** The cosine below which a sentence without a noun of the route is not like its examples. */
  likeAtAll: 0.35,
  /** To look something up. */
  reading: 0.4,
  /** To do what people usually mean by such a phrase when nothing else fits. */
  usual: 0.28,
  /** To look something up that is given only by bare words. */
  bare: 0.42,
  /** To change something. */
  careful: 0.45,
  /** To ask for what is missing for a change. */
  missing: 0.3,
  /** How far another change must be behind. */
  rival: 0.03,
  /** The same where a value holds its name. */
  near: 0.5,
  /** The same for one whose own verb was said. */
  borrowed: 0.05,
  /** To say that a change was not plainly asked for. */
  held: 0.4,
} as const;

import type { Json } from "@pergola/sdk";
import type { Mark } from "../marks/mark.ts";
import type { Route } from "../router/catalogue.ts";
import type { Cue } from "./learn-example.ts";

/** Arguments in the making. */
export interface Draft {
  readonly values: Record<string, Json>;
  /** Marks that a slot took. */
  readonly taken: Mark[];
  /** Slots that were filled by guessing. */
  readonly loose: string[];
}

/** The marks that no slot took yet. */
export const freeMarks = (draft: Draft, marks: readonly Mark[]): readonly Mark[] =>
  marks.filter((mark) => !draft.taken.includes(mark));

/** Where the route's examples show its slots. */
export const cuesOf = ({ examples }: Route): readonly Cue[] => examples.flatMap(({ cues }) => cues);

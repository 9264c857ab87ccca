import type { Phrase } from "../phrase.ts";
import { changing } from "./changing.ts";
import { reading, thinking } from "./reading.ts";
import { searching } from "./searching.ts";
import { talking, tempting } from "./talking.ts";

/** All phrases by group. The even ones of a group are for tuning, the odd ones are held out. */
export const groups: Readonly<Record<string, readonly Phrase[]>> = { reading, thinking, searching, changing, talking, tempting };

import type { ContextBlock } from "../guide/context-block.ts";
import { anyOf } from "../language/any-of.ts";
import { normalised } from "./small-talk.ts";

interface Matter {
  readonly asked: RegExp;
  /** Names of the fact in the context block. */
  readonly facts: readonly string[];
  readonly tell: (fact: string, context: ContextBlock) => string;
  readonly unknown: string;
}

const unknown = (what: string): string => `I do not know ${what}: nothing in this conversation tells me.`;

/** `2026-11-20 10:14, Friday` in its parts, as far as they are there. */
function dateParts(fact: string): { readonly day: string; readonly weekday: string; readonly time: string } {
  const day = /\d{4}-\d{2}-\d{2}/.exec(fact)?.[0] ?? "";
  const time = /\b\d{1,2}:\d{2}\b/.exec(fact)?.[0] ?? "";
  return { day, time, weekday: /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/.exec(fact)?.[0] ?? "" };
}

const tellTime = (fact: string, { facts }: ContextBlock): string => {
  const zone = facts["time zone"];
  return `It is ${dateParts(fact).time || fact}${zone === undefined ? "" : `, ${zone}`}.`;
};
const tellDay = (fact: string): string => {
  const { day, weekday } = dateParts(fact);
  return day === "" ? `It is ${fact}.` : `Today is ${weekday === "" ? "" : `${weekday}, `}${day}.`;
};

const asksTime = anyOf(
  "",
  /^(?:what(?:'s| is|s) the (?:current )?time|what time is it|tell me the time|do you (?:know|have) the time)(?: now| right now)?$/,
  /^(?:the )?(?:current )?time$/,
);
const asksDay = anyOf(
  "",
  /^(?:what|which) (?:day|date|year|month)(?: of the week)? is (?:it|this|today)(?: today)?$/,
  /^what(?:'s| is|s) (?:the|today's) (?:date|day)(?: today)?$|^(?:today's )?date$|^what is today$/,
);
const asksDirectory = anyOf(
  "",
  /^(?:what|which|where)(?:'s| is)?(?: the| your| our| my)? (?:current |working )+(?:directory|folder|dir|path)(?: are (?:we|you) in)?$/,
  /^(?:what|which) (?:directory|folder) (?:are|is|am) (?:we|you|i|this)(?: working)?(?: in)?$/,
  /^pwd$|^where (?:are we|am i) working$/,
);
const asksIteration = anyOf(
  "",
  /^(?:which|what) (?:iteration|step) (?:is this|are (?:we|you) (?:in|at|on))$/,
  /^how many (?:iterations|steps) (?:are left|do you have|are there)$/,
);

const matters: readonly Matter[] = [
  { asked: asksTime, facts: ["time", "date"], tell: tellTime, unknown: unknown("the time") },
  { asked: asksDay, facts: ["date"], tell: tellDay, unknown: unknown("the date") },
  {
    asked: /^(?:what|which)(?:'s| is)?(?: the| my| our)? time ?zone(?: is it| are we in| am i in)?$/,
    facts: ["time zone"],
    tell: (fact) => `The time zone is ${fact}.`,
    unknown: unknown("the time zone"),
  },
  {
    asked: asksDirectory,
    facts: ["working directory", "wd"],
    tell: (fact) => `The working directory is ${fact}.`,
    unknown: unknown("the working directory"),
  },
  {
    asked: /^where (?:am i|do i live|are we)(?: now)?$|^what(?:'s| is) my (?:location|place)$/,
    facts: ["place", "location"],
    tell: (fact) => `According to the settings you are in ${fact}.`,
    unknown: unknown("where you are"),
  },
  {
    asked: /^who am i$|^what(?:'s| is|s) my name$|^do you know (?:my name|who i am)$|^what am i called$/,
    facts: ["user", "user name"],
    tell: (fact) => `You are ${fact}.`,
    unknown: "You have not told me your name.",
  },
  {
    asked: /^(?:what|which)(?:'s| is)? (?:the )?(?:conversation|chat)(?: id)?(?: is this)?$/,
    facts: ["conversation", "conversation id"],
    tell: (fact) => `This is the conversation ${fact}.`,
    unknown: unknown("the conversation's id"),
  },
  {
    asked: asksIteration,
    facts: ["iteration"],
    tell: (fact) => `This is iteration ${fact}.`,
    unknown: unknown("the iteration"),
  },
];

const matterOf = (message: string): Matter | undefined =>
  matters.find(({ asked }) => asked.test(normalised(message)));

/**
 * The answer to a question about the moment (time, place, directory …) from the context block; undefined for
 * another question.
 */
export function momentAnswer(message: string, context: ContextBlock): string | undefined {
  const matter = matterOf(message);
  const fact = matter?.facts.map((name) => context.facts[name]).find((value) => value !== undefined);
  return matter === undefined || fact === undefined ? undefined : matter.tell(fact, context);
}

/** What to say to such a question when nothing tells. */
export const momentUnknown = (message: string): string | undefined => matterOf(message)?.unknown;

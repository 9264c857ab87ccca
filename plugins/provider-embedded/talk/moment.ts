import type { ContextBlock } from "../dialogue/context-block.ts";

interface MomentAnswer {
  readonly says: readonly string[];
  readonly answer: (context: ContextBlock) => string;
}

const unknown = (what: string): string => `I do not know ${what}: nothing in this conversation tells me.`;

/** `2026-11-20 10:14, Friday` */
function timeAnswer({ facts }: ContextBlock): string {
  const time = /\b\d{1,2}:\d{2}\b/.exec(facts.date ?? "")?.[0];
  if (time === undefined) return unknown("the time");
  return `It is ${[time, facts["time zone"]].filter(Boolean).join(", ")}.`;
}

function dayAnswer({ facts }: ContextBlock): string {
  const day = /\d{4}-\d{2}-\d{2}/.exec(facts.date ?? "")?.[0];
  if (day === undefined) return unknown("the date");
  const weekday = /\b[A-Z][a-z]+day\b/.exec(facts.date ?? "")?.[0];
  return `Today is ${[weekday, day].filter(Boolean).join(", ")}.`;
}

function directoryAnswer({ facts }: ContextBlock): string {
  const directory = facts["working directory"];
  if (directory === undefined) return unknown("the working directory");
  return `The working directory is ${directory}.`;
}

/** Answers about time and place, from what the host put beside the message. */
export const momentAnswers: readonly MomentAnswer[] = [
  { says: ["what time is it", "what is the time", "what time is it now"], answer: timeAnswer },
  {
    says: [
      "what day is it",
      "what day is it today",
      "what is the date",
      "what is today's date",
      "which date is it",
    ],
    answer: dayAnswer,
  },
  {
    says: ["which directory are you working in", "what is the working directory", "where are we", "pwd"],
    answer: directoryAnswer,
  },
];

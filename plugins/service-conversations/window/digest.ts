import { stringOf, type Message } from "@pergola/sdk";
import { blockLine, type ConversationDigest } from "@pergola/sdk/host";

const empty: ConversationDigest = {
  goal: "",
  requests: [],
  decisions: [],
  notes: [],
  files: [],
  calls: {},
};

/** Characters of one line, and lines of each kind that are remembered. */
const [lineLength, goalLength] = [200, 600];
const most = { requests: 12, decisions: 40, notes: 12, files: 40, calls: 20 } as const;

/** Sentences with one of these words settle something. */
const settling =
  /\b(decid\w*|decision\w*|chos[ei]n?|choose|agreed|conclu\w+|settled|opt(ed|ing)? for|will use|must|never|always|instead of|root cause|turn(s|ed) out|because|important|entschied\w*|entscheid\w*|beschl(oss|ieß)\w*|wichtig\w*|stattdessen)\b/iu;

const line = (text: string, length = lineLength): string => blockLine(text, length);

/** Of many the first few and the newest: what was settled early holds longest. */
const ends = (lines: readonly string[], count: number): readonly string[] => {
  const all = newest(lines, lines.length);
  const early = Math.floor(count / 4);
  if (all.length <= count) return all;
  return [...all.slice(0, early), ...all.slice(early - count)];
};

const newest = (lines: readonly string[], count: number): readonly string[] =>
  [...new Set(lines.filter((text) => text !== "").toReversed())].slice(0, count).toReversed();

const sentencesOf = (text: string): readonly string[] =>
  text.split(/(?<=[.!?。！？])\s+|\n+/u).filter((sentence) => /\p{L}/u.test(sentence));

function argumentsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>;
    return {};
  } catch {
    return {};
  }
}

const textsAt = (args: Readonly<Record<string, unknown>>, keys: RegExp): readonly string[] =>
  Object.entries(args)
    .filter(([key]) => keys.test(key))
    .map(([, value]) => value)
    .filter((value) => typeof value === "string");

/** What a call touches, and what it was told to remember. */
function callFacts({ name, arguments: text }: NonNullable<Message["toolCalls"]>[number]) {
  const args = argumentsOf(text);
  const operation = stringOf(args["operation"]);
  const [family = "", own = operation] = name.split(".");
  const remembers = /memory/i.test(family) && /^(store|add)/.test(own);
  return {
    called: line([family, own].filter((part) => part !== "").join("."), 80),
    files: textsAt(args, /^(file|dir|old|new|source|target)?_?(path|file|directory)$/i).map((file) =>
      line(file, 160),
    ),
    decisions: remembers ? textsAt(args, /^(content|fact|solution|pattern)$/).map((fact) => line(fact)) : [],
  };
}

function factsOf(message: Message) {
  const { role, content, toolCalls = [] } = message;
  const sentences = role === "assistant" ? sentencesOf(content ?? "") : [];
  const settled = sentences.filter((sentence) => settling.test(sentence));
  const calls = toolCalls.map(callFacts);
  return {
    requests: role === "user" ? [line(content ?? "")] : [],
    decisions: [...settled.map((sentence) => line(sentence)), ...calls.flatMap(({ decisions }) => decisions)],
    notes: settled.length > 0 ? [] : sentences.slice(0, 1).map((sentence) => line(sentence)),
    files: calls.flatMap(({ files }) => files),
    calls: calls.map(({ called }) => called),
  };
}

/**
 * What messages come to that follow those of a digest: taken from their own words, so the same messages
 * always give the same.
 */
export function digestOf(
  messages: readonly Message[],
  goal: Message | undefined,
  before: ConversationDigest = empty,
): ConversationDigest {
  const facts = messages.filter((message) => message.id !== goal?.id).map(factsOf);
  const all = (key: "requests" | "notes" | "files"): readonly string[] =>
    newest([...before[key], ...facts.flatMap((fact) => fact[key])], most[key]);
  const counts = new Map(Object.entries(before.calls));
  for (const name of facts.flatMap(({ calls }) => calls)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const mostUsed = [...counts].toSorted(([, a], [, b]) => b - a);
  const calls = Object.fromEntries(mostUsed.slice(0, most.calls));
  const begun = before.goal === "" ? line(goal?.content ?? "", goalLength) : before.goal;
  return {
    goal: begun,
    requests: all("requests"),
    decisions: ends([...before.decisions, ...facts.flatMap(({ decisions }) => decisions)], most.decisions),
    notes: all("notes"),
    files: all("files"),
    calls,
  };
}

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

/** Characters of one line. */
const lineLength = 200;
const goalLength = 600;

/** Lines of each kind that are remembered. */
const most = {
  requests: 12,
  decisions: 40,
  notes: 12,
  files: 40,
  calls: 20,
} as const;

/** Sentences with one of these words settle something. */
const settling =
  /\b(decid\w*|decision\w*|chos[ei]n?|choose|agreed|conclu\w+|settled|opt(ed|ing)? for|will use|must|never|always|instead of|root cause|turn(s|ed) out|because|important|entschied\w*|entscheid\w*|beschl(oss|ieß)\w*|wichtig\w*|stattdessen)\b/iu;

const line = (text: string): string => blockLine(text, lineLength);

/** Of many the first few and the newest: what was settled early holds longest. */
const ends = (lines: readonly string[], count: number): readonly string[] => {
  const all = newest(lines, lines.length);
  const early = Math.floor(count / 4);
  if (all.length <= count) return all;
  return [...all.slice(0, early), ...all.slice(early - count)];
};

function newest(lines: readonly string[], count: number): readonly string[] {
  const distinct = new Set(lines.filter(Boolean).toReversed());
  return [...distinct].slice(0, count).toReversed();
}

const sentencesOf = (text: string): readonly string[] =>
  text.split(/(?<=[.!?。！？])\s+|\n+/u).filter((sentence) => /\p{L}/u.test(sentence));

function argumentsOf(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

/** Texts of some arguments, as lines. */
const linesAt = (args: object, keys: RegExp, length: number): readonly string[] =>
  Object.entries(args)
    .filter(([key]) => keys.test(key))
    .map(([, value]: [string, unknown]) => value)
    .filter((value) => typeof value === "string")
    .map((text) => blockLine(text, length));

/** What a call touches, and what it was told to remember. */
function callFacts({ name, arguments: text }: NonNullable<Message["toolCalls"]>[number]) {
  const args = argumentsOf(text);
  const { operation } = args as { readonly operation?: unknown };
  const [family = "", own = stringOf(operation)] = name.split(".");
  const remembers = /memory/i.test(family) && /^(store|add)/.test(own);
  return {
    name: blockLine([family, own].filter((part) => part !== "").join("."), 80),
    files: linesAt(args, /^(file|dir|old|new|source|target)?_?(path|file|directory)$/i, 160),
    decisions: (remembers && linesAt(args, /^(content|fact|solution|pattern)$/, lineLength)) || [],
  };
}

interface Facts extends Pick<ConversationDigest, "requests" | "decisions" | "notes" | "files"> {
  readonly calls: readonly string[];
}

const noFacts: Facts = { ...empty, calls: [] };

function factsOf({ role, content, toolCalls = [] }: Message): Facts {
  const text = content ?? "";
  if (role === "user") return { ...noFacts, requests: [line(text)] };
  if (role !== "assistant") return noFacts;
  const sentences = sentencesOf(text);
  const settled = sentences.filter((sentence) => settling.test(sentence)).map(line);
  const calls = toolCalls.map(callFacts);
  return {
    ...noFacts,
    decisions: [...settled, ...calls.flatMap(({ decisions }) => decisions)],
    notes: sentences.slice(0, Number(settled.length === 0)).map(line),
    files: calls.flatMap(({ files }) => files),
    calls: calls.map(({ name }) => name),
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
  const linesOf = (key: "requests" | "decisions" | "notes" | "files"): readonly string[] => [
    ...before[key],
    ...facts.flatMap((fact) => fact[key]),
  ];
  const counts = new Map(Object.entries(before.calls));
  for (const name of facts.flatMap(({ calls }) => calls)) {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
  }
  const mostUsed = [...counts].toSorted(([, a], [, b]) => b - a);
  const calls = Object.fromEntries(mostUsed.slice(0, most.calls));
  return {
    goal: before.goal || blockLine(goal?.content ?? "", goalLength),
    requests: newest(linesOf("requests"), most.requests),
    decisions: ends(linesOf("decisions"), most.decisions),
    notes: newest(linesOf("notes"), most.notes),
    files: newest(linesOf("files"), most.files),
    calls,
  };
}

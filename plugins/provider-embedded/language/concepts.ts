import { stem } from "./stem.ts";

/** Words that mean the same to the router, by the name of what they mean. */
const groups: Readonly<Record<string, string>> = {
  read: "read open view cat print",
  show: "show display give gimme see tell inform notify present",
  list: "list ls dir enumerate listing browse tree",
  search: "search find locate look grep seek hunt scan",
  delete: "delete remove erase rm trash discard unlink forget",
  rename: "rename move mv relocate renaming",
  create: "create make generate touch mkdir start begin new",
  write: "write save store dump overwrite keep record",
  append: "append attach tack extend",
  insert: "insert place squeeze",
  replace: "replace substitute swap exchange correct fix edit replacement substitution",
  check: "check tick verify test validate examine",
  summary: "summarise summarize summary gist overview",
  think: "think reflect reason ponder consider muse contemplate",
  ask: "ask prompt question inquire",
  choose: "choose pick select decide",
  confirm: "confirm approve approval confirmation",
  raise: "raise increase bump lift higher",
  file: "file",
  document: "document doc",
  directory: "directory folder dir subfolder subdirectory",
  content: "content inside text body",
  error: "error problem mistake diagnostic issue fault warning wrong broken compile compiler lint typecheck",
  size: "size big large byte long heavy",
  changed: "modify modified changed altered edited updated modification age",
  permission: "permission executable writable readable",
  details: "details detail info information metadata stat property",
  kind: "kind type sort format",
  usage: "usage use used reference referenced caller call called calls refer",
  code: "code source project codebase implementation program module repo repository workspace",
  all: "all every each everything everywhere whole entire",
  recursive: "recursive recursively subfolders nested deep",
  end: "end bottom",
  first: "first top beginning head",
  rest: "rest remaining more continue next remainder further",
  result: "result output stored saved",
  iteration: "iteration step round",
  limit: "limit maximum max budget",
  mention: "mention contain occur appear match include occurrence",
  meaning: "meaning semantic semantically similar related something",
  handle: "handle deal care responsible process manage",
  regex: "regex regexp regular expression pattern",
  line: "line row",
  create_date: "creation born",
  todo: "todo todos to-do to-dos task tasks",
  done: "done finished completed complete",
  event: "event appointment",
  latest: "latest newest recent last",
  picture: "picture image photo photograph",
  run: "run execute launch",
  agent: "agent subagent sub-agent",
  push: "push force-push",
  stop: "stop kill terminate abort halt quit",
  weather: "weather windy cloudy rainy foggy stormy humid",
  warm: "warm cold hot chilly",
  song: "song track tune",
  video: "video clip movie film",
  machine: "machine server host computer pc laptop",
  prepare: "prepare ready",
  draw: "draw paint sketch illustrate",
  restore: "restore reapply unstash",
};

const byWord = new Map(
  Object.entries(groups).flatMap(([concept, words]) =>
    words.split(" ").map((word) => [word, concept] as const),
  ),
);
const byStem = new Map([...byWord].map(([word, concept]) => [stem(word), concept] as const).reverse());

/** The concept of a word in lower case; its stem when no concept is known. */
export const keyOf = (word: string): string => byWord.get(word) ?? byStem.get(stem(word)) ?? stem(word);

/** True for a word that belongs to a concept. */
export const isKnown = (word: string): boolean => byWord.has(word) || byStem.has(stem(word));

/** Every word of the table, for spelling. */
export const knownWords: readonly string[] = [...byWord.keys()];

import { words } from "./words.ts";

const slashWords = words(
  "and/or he/she his/her him/her yes/no on/off true/false input/output read/write",
  "client/server tcp/ip i/o n/a w/o",
);
const dottedWords = words(
  "node.js next.js vue.js react.js express.js d3.js three.js e.g i.e u.s a.m p.m etc.",
  "console.log",
);
const bareNames = words(
  "Makefile Dockerfile LICENSE README CHANGELOG CONTRIBUTING Procfile Gemfile Jenkinsfile",
);
const siteEndings = words("com org net edu gov");

const names: readonly RegExp[] = [
  /^\.{1,2}$|^~$/,
  /^(?:~|\.{1,2}|[A-Za-z]:)?[\w@.+ -]*(?:[/\\][\w@.+ -]*)+$/,
  /^\.[A-Za-z][\w.-]+$/,
];

/** `notes.txt`, but not `Node.Then` or `example.com`. */
function hasEnding(token: string): boolean {
  const ending = /^[\w@+-][\w@+.-]*\.([A-Za-z][A-Za-z0-9]{0,7})$/.exec(token)?.[1] ?? "";
  return ending !== "" && !/^[A-Z][a-z]+$/.test(ending) && !siteEndings.has(ending.toLowerCase());
}

/** True for a token that is plainly the path of a file or a directory. */
export function isPathLike(token: string): boolean {
  const lower = token.toLowerCase();
  if (dottedWords.has(lower) || slashWords.has(lower) || /^\d+(?:\/\d+)+$/.test(token)) return false;
  return bareNames.has(token) || names.some((name) => name.test(token)) || hasEnding(token);
}

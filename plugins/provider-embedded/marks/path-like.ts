import { words } from "../language/words.ts";

const slashWords = words(
  "and/or he/she his/her him/her yes/no on/off true/false input/output read/write client/server tcp/ip i/o n/a w/o",
  "either/or am/pm",
);
const notFiles = words(
  "node.js next.js vue.js nuxt.js react.js express.js d3.js three.js angular.js ember.js deno.js asp.net socket.io",
  "e.g i.e u.s a.m p.m etc. console.log console.error console.warn fmt.print system.out math.random document.write",
);
const bareNames = words(
  "Makefile Dockerfile LICENSE LICENCE README CHANGELOG VERSION AUTHORS CONTRIBUTING NOTICE COPYING",
  "Procfile Gemfile Rakefile Jenkinsfile Vagrantfile CODEOWNERS INSTALL",
);
const siteEndings = words("com org net edu gov");

/** True for a token that is plainly the path of a file or a directory. */
export function isPathLike(token: string): boolean {
  const lower = token.toLowerCase();
  if (notFiles.has(lower) || slashWords.has(lower)) return false;
  if (token === ".." || token === "~" || bareNames.has(token)) return true;
  if (/^\d+\/\d+$/.test(token) || /^\/+$/.test(token)) return token === "/";
  if (/^(?:~|\.{1,2}|[A-Za-z]:)?[\w@.+ -]*(?:[/\\][\w@.+ -]*)+$/.test(token)) return true;
  if (/^\.[A-Za-z][\w.-]+$/.test(token)) return true;
  const ending = /^[\w@+-][\w@+.-]*\.([A-Za-z][A-Za-z0-9]{0,7})$/.exec(token)?.[1];
  return ending !== undefined && !/^[A-Z][a-z]+$/.test(ending) && !siteEndings.has(ending.toLowerCase());
}

/** True for a path that names a directory rather than a file: no ending, or a slash at its end. */
export const isDirectoryLike = (path: string): boolean =>
  /(?:^|[/\\])(?:\.{1,2}|[^./\\]*)$/.test(path) && !bareNames.has(path);

import type { Problem } from "./problem.ts";

/** What helps an author where loading the plugin has failed, by what the failure says. */
const remedies: readonly (readonly [said: RegExp, remedy: string])[] = [
  [
    /cannot run in a process of its own|cannot work in a process of its own/,
    "Add --trusted to this command; its users list it with `isolation: trusted`.",
  ],
  [
    /no default export/,
    "End its entry with `export default definePlugin({ … })`, and build it: npm run build.",
  ],
  [
    /Cannot find module '\/plugin\/|Cannot find module '[^']*dist/,
    "Build it (npm run build), or correct `exports` in its package.json.",
  ],
  [
    /Cannot find (?:package|module) '([^'./][^']*)'/,
    "Name the package under dependencies in package.json, and run npm install.",
  ],
  [
    /, import: it took longer than/,
    "While it is imported it must neither wait nor work: move that into run, register or start.",
  ],
  [/, register: it took longer than/, "Move what takes long from register into start or run."],
  [
    /, collect: the code provides|manifest promises/,
    "Make `provides` in plugin.json say what its code brings.",
  ],
  [
    /nobody has approved it yet/,
    "It was not loaded. Approve it, and name the data where you did: --data <folder>.",
  ],
  [/, import: /, "Correct its code, and build it again (npm run build)."],
  [/, register: /, "Correct its function register, and build it again (npm run build)."],
  [/, manifest: /, "Correct plugin.json; docs/plugins.md says what it holds."],
];

/** The fault with which a host has left a plugin out, with a remedy for its author. */
export function loadProblem({ message, remedy }: Problem, isFile: boolean): Problem {
  if (isFile) return { message, remedy: "Correct it in the file." };
  const found = remedies.find(([said]) => said.test(message));
  return { message, remedy: found?.[1] ?? remedy };
}

import type { CheckedPath } from "@pergola/sdk";
import { absolutePath, namePattern, spelling } from "./spelling.ts";

/** Tells whether a path has a protected name, as it was called or as it really is. */
export type ProtectedNames = (file: CheckedPath, workingDirectory: string) => boolean;

type Steps = readonly string[];
type Pattern = readonly ((step: string) => boolean)[];

/** Windows cuts off the dots and spaces at a name's end. */
const step = (name: string): string => name.replace(/(?<=[^. ])[. ]+$/, "");

const stepsOf = (file: string): Steps =>
  spelling(file)
    .split(/[/\\]+/)
    .filter((name) => name !== "" && name !== ".")
    .map(step);

/**
 * Protected names from a list such as `.vscode`, `.yarnrc*` and `.git/hooks`. A name matches at any depth, at
 * the path's end or on the way. The folder in which a longer name lies (`.git`) matches at the path's end,
 * since a rename may bring that name along.
 */
export function protectedNames(list: readonly string[], home: string): ProtectedNames {
  const byFirst = new Map<string, readonly Pattern[]>();
  const loose: Pattern[] = [];
  for (const name of list.map(stepsOf)) {
    const [first] = name;
    const pattern = name.map(namePattern);
    if (first?.includes("*")) loose.push(pattern);
    else if (first !== undefined) byFirst.set(first, [...(byFirst.get(first) ?? []), pattern]);
  }

  const isProtected = (file: string, below: Steps): boolean => {
    const steps = stepsOf(file);
    const shared = sharedSteps(steps, below);
    return steps.some((first, at) =>
      [...(byFirst.get(first) ?? []), ...loose].some((name) => matchesAt(steps, at, name, shared)),
    );
  };
  return ({ requestedPath: file, real }, workingDirectory) => {
    const below = stepsOf(workingDirectory);
    const called = absolutePath(file, workingDirectory, home);
    return isProtected(called, below) || (called !== real && isProtected(real, below));
  };
}

/** What the working directory itself is called does not count: only a name that ends below it. */
function matchesAt(steps: Steps, at: number, name: Pattern, shared: number): boolean {
  const end = Math.min(at + name.length, steps.length);
  return end > shared && name.slice(0, end - at).every((fits, index) => fits(steps[at + index] ?? ""));
}

function sharedSteps(a: Steps, b: Steps): number {
  const differs = a.findIndex((part, index) => part !== b[index]);
  if (differs === -1) return a.length;
  return differs;
}

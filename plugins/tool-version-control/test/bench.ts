import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ToolError, type OperationResult, type ToolContext } from "@pergola/sdk";
import {
  runOperation,
  temporaryFolder,
  toolContext,
  type TestContext,
  type TestSetup,
} from "@pergola/sdk/testing";
import { versionControl } from "../index.ts";

type Arguments = Readonly<Record<string, unknown>>;

const hasGit = ((): boolean => {
  try {
    execFileSync("git", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

/** Skips a suite where git is missing. */
export function needsGit(this: Mocha.Context): void {
  if (hasGit) return;
  console.warn("skipped: the Debian package git is missing");
  this.skip();
}

const environment = {
  PATH: process.env["PATH"],
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

/** The plain git program, as a person would use it. */
export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", args, {
    cwd,
    encoding: "utf8",
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 8000,
  });

export function operationNamed(name: string) {
  const found = versionControl.operations.find(
    (operation) => operation.name === name || operation.aliases?.includes(name),
  );
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
}

export interface Bench {
  readonly root: string;
  readonly context: TestContext;
  readonly at: (file: string) => string;
  readonly put: (file: string, content?: string) => void;
  readonly text: (file: string) => string;
  readonly has: (file: string) => boolean;
  readonly git: (...args: readonly string[]) => string;
  readonly run: (operation: string, args?: Arguments) => Promise<OperationResult>;
  readonly data: <T = string>(operation: string, args?: Arguments) => Promise<T>;
  readonly failure: (operation: string, args?: Arguments) => Promise<ToolError>;
}

/** A working directory with operations on it; no repository yet. */
export function bench(setup: Partial<ToolContext> & TestSetup = {}): Bench {
  const context = toolContext({
    preferences: {
      "sandbox.programs": "none",
      "tools.git.user_name": "Bea",
      "tools.git.user_email": "bea@example.org",
    },
    ...setup,
  });
  const root = context.workingDirectory;
  const at = (file: string): string => path.resolve(root, file);
  const run = async (operation: string, args: Arguments = {}) =>
    runOperation(operationNamed(operation), args, context);
  return {
    root,
    context,
    at,
    put: (file, content = `${file}\n`) => {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), content);
    },
    text: (file) => readFileSync(at(file), "utf8"),
    has: (file) => existsSync(at(file)),
    git: (...args) => git(root, ...args),
    run,
    data: async <T>(operation: string, args?: Arguments) => (await run(operation, args)).data as T,
    failure: async (operation, args) => {
      const error: unknown = await run(operation, args).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (ToolError.is(error)) return error;
      throw new Error(`${operation} did not fail with a ToolError`, { cause: error });
    },
  };
}

/** The same with a repository on `main` whose first commit holds `a.txt`. */
export function repository(setup: Partial<ToolContext> & TestSetup = {}): Bench {
  const made = bench(setup);
  made.git("init", "-q", "-b", "main");
  made.put("a.txt");
  made.git("add", "-A");
  made.git("commit", "-qm", "first");
  return made;
}

/** A repository with a bare one on this computer as its remote, and a second clone in which others work. */
export function shared(setup: TestSetup = {}) {
  const bare = temporaryFolder();
  git(bare, "init", "-q", "--bare", "-b", "main");
  const mine = repository(setup);
  mine.git("remote", "add", "origin", bare);
  mine.git("push", "-q", "-u", "origin", "main");
  const folder = temporaryFolder();
  git(folder, "clone", "-q", bare, ".");
  const others = {
    git: (...args: readonly string[]) => git(folder, ...args),
    commit: (file: string, content: string) => {
      writeFileSync(path.join(folder, file), content);
      git(folder, "add", "-A");
      git(folder, "commit", "-qm", `others: ${file}`);
      git(folder, "push", "-q", "origin", "HEAD");
    },
  };
  return { ...mine, bare, others };
}

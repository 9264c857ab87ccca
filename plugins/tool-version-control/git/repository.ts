import path from "node:path";
import {
  addSettings,
  configValue,
  runGit,
  type ConfigEntry,
  type Environment,
  type GitAccess,
  type Location,
  type Settings,
} from "@pergola/kit-git";
import { ToolError, type SpawnResult, type ToolContext } from "@pergola/sdk";
import { gitFailure } from "./failure.ts";

interface RunOptions {
  readonly input?: string;
  readonly env?: Environment;
  /** Pathspecs mean what they say unless this is false. */
  readonly literal?: boolean;
  /** What it reaches beside the repository. */
  readonly reach?: Pick<GitAccess, "read" | "write" | "hosts"> | "any";
  /** In force for this command. */
  readonly settings?: Settings;
  /** A cut output is an answer too. */
  readonly mayBeCut?: boolean;
}

interface Setup extends Location {
  readonly context: ToolContext;
  readonly config: readonly ConfigEntry[];
  /** git looks no higher than in this folder. */
  readonly top: string;
  readonly environment: Environment;
  readonly trusted: Environment;
  /** What the person's own settings name. */
  readonly personalFiles: readonly string[];
  readonly isTrusting?: boolean;
}

/** Bytes of a command's output that are kept. */
export const outputLimit = 8 * 1024 * 1024;

/** A repository whose place was checked and whose configuration was made harmless. */
export class Repository {
  readonly root: string;
  readonly gitDirectory: string;
  readonly config: readonly ConfigEntry[];
  readonly #setup: Setup;

  constructor(setup: Setup) {
    this.root = setup.root;
    this.gitDirectory = setup.gitDirectory;
    this.config = setup.config;
    this.#setup = setup;
  }

  value(key: string): string | undefined {
    return configValue(this.config, key);
  }

  /** The names of its remotes. */
  get remotes(): readonly string[] {
    const names = this.config.map(({ key }) => /^remote\.(.+)\.url$/s.exec(key)?.[1]);
    return [...new Set(names.filter((name) => name !== undefined))];
  }

  /** This repository for a call whose person let its hooks and filters run. */
  trusting(): Repository {
    return new Repository({ ...this.#setup, environment: this.#setup.trusted, isTrusting: true });
  }

  /** Runs git and gives all that became of it. */
  async attempt(
    args: readonly string[],
    { input, env = {}, literal = true, reach = {}, settings = [] }: RunOptions = {},
  ): Promise<SpawnResult> {
    const { context, environment, top } = this.#setup;
    return runGit(context, args, {
      folder: this.root,
      top,
      environment: addSettings({ ...environment, ...env }, settings),
      input,
      hasLiteralPaths: literal,
      maxOutputBytes: outputLimit,
      access: this.#access(reach),
    });
  }

  /** Hooks that the person let run may need more than a sandbox shows. */
  #access(reach: NonNullable<RunOptions["reach"]>): GitAccess | "any" {
    const { isTrusting = false, personalFiles, top } = this.#setup;
    if (isTrusting || reach === "any") return "any";
    const { read = [], write = [], hosts = [] } = reach;
    return {
      read: [...personalFiles, ...read],
      write: [top, ...write],
      keep: [path.join(this.gitDirectory, "hooks")],
      hosts,
    };
  }

  /** Runs git and gives its output. Throws ToolError when it fails. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { exitCode, stdout, stderr, truncated } = await this.attempt(args, options);
    if (exitCode !== 0) throw this.failure(stderr || stdout);
    if (truncated && options.mayBeCut !== true)
      throw new ToolError("generic_error", "git's answer is too large.", {
        hint: "Ask about a file, or about less.",
      });
    return stdout;
  }

  /** As `run`, together with what git writes to its error output. */
  async report(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { exitCode, stdout, stderr } = await this.attempt(args, options);
    if (exitCode !== 0) throw this.failure(`${stderr}${stdout}`);
    return `${stdout}${stderr}`.replaceAll(`${this.root}/`, "").trim();
  }

  failure(text: string): ToolError {
    return gitFailure(text, [this.gitDirectory, this.root]);
  }

  /** The full hash that a name stands for; undefined when it stands for none. */
  async find(name: string): Promise<string | undefined> {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", name];
    const { exitCode, stdout } = await this.attempt(args);
    if (exitCode !== 0) return undefined;
    return stdout.trim();
  }
}

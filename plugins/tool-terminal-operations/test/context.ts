import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { ToolError, type Json, type OperationResult, type ToolContext } from "@pergola/sdk";
import { runOperation, toolContext, type TestContext, type TestSetup } from "@pergola/sdk/testing";
import { terminalOperations } from "../index.ts";

type Arguments = Readonly<Record<string, unknown>>;

export const settings: Readonly<Record<string, Json>> = {
  "tools.terminal.shell": "sh",
  "tools.terminal.session_idle_minutes": 30,
};

/** What the operations tell of a session. */
export interface Told {
  readonly session_id: string;
  readonly id: string;
  readonly status: string;
  readonly exitCode: number | null;
  readonly output: string;
  readonly from_index: number;
  readonly next_index: number;
}

export interface Bench {
  readonly context: TestContext;
  /** Runs an operation by one of its names. */
  readonly run: (
    operation: string,
    args?: Arguments,
    changes?: Partial<ToolContext>,
  ) => Promise<OperationResult>;
  readonly tell: (operation: string, args?: Arguments, changes?: Partial<ToolContext>) => Promise<Told>;
  /** `run_command`; only the output. */
  readonly shell: (command: string, args?: Arguments) => Promise<string>;
  /** The ToolError that the operation fails with. */
  readonly failure: (
    operation: string,
    args?: Arguments,
    changes?: Partial<ToolContext>,
  ) => Promise<ToolError>;
}

export const operationNamed = (name: string) => {
  const found = terminalOperations.operations.find(
    (operation) => operation.name === name || operation.aliases?.includes(name),
  );
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

export function bench({ settings: own = {}, ...setup }: Partial<ToolContext> & TestSetup = {}): Bench {
  const preferences = { "sandbox.programs": "none", ...setup.preferences };
  const context = toolContext({ ...setup, preferences, settings: { ...settings, ...own } });
  const run: Bench["run"] = (operation, args = {}, changes = {}) =>
    runOperation(operationNamed(operation), { explanation: "", ...args }, { ...context, ...changes });
  return {
    context,
    run,
    tell: async (...call) => (await run(...call)).data as unknown as Told,
    shell: async (command, args = {}) => (await run("run_command", { command, ...args })).data as string,
    async failure(...call) {
      const error: unknown = await run(...call).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (ToolError.is(error)) return error;
      throw new Error(`${call[0]} did not fail with a ToolError`, { cause: error });
    },
  };
}

/** Processes, zombies aside, whose command line holds the mark. */
export const running = (mark: string): readonly string[] =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark) &&
        !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")
      );
    } catch {
      return false;
    }
  });

let lastMark = 550_000;
/** A number of seconds for `sleep` that no other process uses. */
export const newSleep = (): string => String((lastMark += 1) + process.pid / 1e7);

/** Waits until something holds, at most `most` milliseconds; fails the test then. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  most = 5000,
): Promise<void> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > most) throw new Error(`In ${most} ms it did not happen: ${what}`);
    await wait(10);
  }
}

export const hasProc = (): boolean => existsSync("/proc/self/environ");

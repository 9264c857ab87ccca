import { setTimeout as pause } from "node:timers/promises";
import { ToolError, type OperationResult, type ToolContext } from "@pergola/sdk";
import { runOperation, toolContext, type TestContext, type TestSetup } from "@pergola/sdk/testing";
import { userInfo } from "node:os";
import { remoteExecution } from "../index.ts";

type Arguments = Readonly<Record<string, unknown>>;

export const localHost = `${userInfo().username}@127.0.0.1`;

export const operationNamed = (name: string) => {
  const found = remoteExecution.operations.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

export interface Bench {
  readonly context: TestContext;
  readonly run: (
    operation: string,
    args: Arguments,
    changes?: Partial<ToolContext>,
  ) => Promise<OperationResult>;
  /** The result's `data`, as it is. */
  readonly data: <T>(operation: string, args: Arguments) => Promise<T>;
  /** The ToolError that the operation fails with. */
  readonly failure: (
    operation: string,
    args: Arguments,
    changes?: Partial<ToolContext>,
  ) => Promise<ToolError>;
}

/** The operations, called on the machine that listens on a port of loopback. */
export function bench(port: number, setup: Partial<ToolContext> & TestSetup = {}): Bench {
  const context = toolContext({ ...setup, clock: { now: () => Date.now() } });
  const run = (operation: string, args: Arguments, changes: Partial<ToolContext> = {}) => {
    const place = operation === "execute_parallel" ? {} : { host: localHost };
    return runOperation(
      operationNamed(operation),
      { ...place, ssh_port: port, ...args },
      { ...context, ...changes },
    );
  };
  return {
    context,
    run,
    data: async <T>(operation: string, args: Arguments) => (await run(operation, args)).data as T,
    async failure(operation, args, changes) {
      const error: unknown = await run(operation, args, changes).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (ToolError.is(error)) return error;
      throw new Error(`${operation} did not fail with a ToolError`, { cause: error });
    },
  };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Milliseconds until a process is gone; Infinity when it is still there after 3 s. */
export async function timeToDie(pid: number): Promise<number> {
  const begun = performance.now();
  while (isAlive(pid)) {
    if (performance.now() - begun > 3000) return Infinity;
    await pause(10);
  }
  return performance.now() - begun;
}

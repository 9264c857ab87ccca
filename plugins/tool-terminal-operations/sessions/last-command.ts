import type { Session } from "./session.ts";

/** What was run last in a scope, by whatever operation. */
interface LastCommand {
  readonly command: string;
  readonly working_directory: string;
  /** Null while it runs, and for what was typed into a session. */
  readonly exitCode: number | null;
}

/** Scopes that are remembered. */
const most = 1000;
const commands = new Map<string, LastCommand>();

export function rememberCommand(scope: string, command: LastCommand): void {
  commands.delete(scope);
  commands.set(scope, command);
  const [oldest] = commands.keys();
  if (commands.size > most && oldest !== undefined) commands.delete(oldest);
}

/** Remembers what a session runs, with its exit code as soon as it has ended. */
export function rememberSession({ facts, exitCode, ended }: Session): void {
  const { scope, command, folder } = facts;
  const last: LastCommand = { command, working_directory: folder, exitCode: exitCode ?? null };
  rememberCommand(scope, last);
  void ended.then((code) => {
    if (commands.get(scope) === last) commands.set(scope, { ...last, exitCode: code });
  });
}

export const lastCommandOf = (scope: string): LastCommand | undefined => commands.get(scope);

/** What was run last in a scope, by whatever operation. */
export interface LastCommand {
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

export const lastCommandOf = (scope: string): LastCommand | undefined => commands.get(scope);

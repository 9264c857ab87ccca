import type { Session } from "./session.ts";

/** What the operations tell of a session's output from an index on. */
export function report(session: Session, from = 0) {
  const { output, fromIndex, nextIndex } = session.read(from);
  return {
    session_id: session.facts.id,
    status: session.status,
    exitCode: session.exitCode ?? null,
    output,
    from_index: fromIndex,
    next_index: nextIndex,
  };
}

export function statusSentence({ exitCode }: Session): string {
  if (exitCode === undefined) return "It is running.";
  return `It ended with exit code ${exitCode}.`;
}

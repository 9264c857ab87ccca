import type { ApprovalRecord, RunRequest } from "@pergola/sdk";

const wants = { approval: "your approval", question: "your answer" } as const;

/** One line that says what a run waits for, and where the person answers; empty where none is wanted. */
export function waitingLine(
  question: ApprovalRecord | undefined,
  { waitingNote }: Pick<RunRequest, "waitingNote">,
): string {
  if (question === undefined || waitingNote === undefined) return "";
  const { kind, tool, operation } = question;
  const place = `See ${waitingNote.address}/api/approvals or run: pergola approvals`;
  return `[Waiting for ${wants[kind]}: ${tool}.${operation}. ${place}]`;
}

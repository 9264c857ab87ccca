import type { ApprovalRecord } from "@pergola/sdk";

const wants = { approval: "your approval", question: "your answer" } as const;

/** One line that says what a run waits for, and where the person answers. */
export function waitingLine({ kind, tool, operation }: ApprovalRecord, address: string): string {
  const name = `${tool}.${operation}`;
  return `[Waiting for ${wants[kind]}: ${name}. See ${address}/api/approvals or run: pergola approvals]`;
}

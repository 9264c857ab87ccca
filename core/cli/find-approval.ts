import { fault } from "../fault.ts";
import type { Question } from "./read-events.ts";
import { withHint, type Service } from "./service.ts";

/** A question of a run or of a call by hand, as the service stores it. */
export interface Approval extends Omit<Question, "type"> {
  readonly id: string;
  readonly runId: string | null;
  readonly conversationId: string;
  readonly reason: string;
  readonly status: "pending" | "answered" | "expired" | "cancelled";
  readonly decision: "approved" | "denied" | "text" | null;
  readonly answer: string | null;
  readonly createdAt: string;
  readonly result?: CallResult | null;
}

interface CallResult {
  readonly success: boolean;
  readonly content?: string;
  readonly data?: string;
  readonly error?: string;
}

interface Listed {
  readonly approvals: readonly Approval[];
  readonly count: number;
}

export const approvalsOf = (service: Service, query: Readonly<Record<string, string>>): Promise<Listed> =>
  service.get(`/api/approvals?${new URLSearchParams(query).toString()}`);

/** The approval with this id, or the only one of those that wait whose id begins with it. */
export async function findApproval(service: Service, id: string): Promise<Approval> {
  const { approvals } = await approvalsOf(service, { status: "pending" });
  const found = approvals.filter((one) => one.id.startsWith(id) || one.toolCallId === id);
  const [first] = found;
  if (found.length > 1)
    throw fault("invalid_value", `"${id}" is the beginning of several ids. Write more of it.`);
  const address = `/api/approvals/${encodeURIComponent(first?.id ?? id)}`;
  return withHint(service.get<Approval>(address), "`pergola approvals list` lists those that wait.");
}

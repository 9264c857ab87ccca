import type { PlanEntry } from "@agentclientprotocol/sdk";
import { conversationPath } from "./service.ts";
import { tell, type Ends, type Session } from "./session.ts";

interface Exported {
  readonly todos: readonly {
    readonly title: string;
    readonly status: string;
    readonly priority?: string | null;
  }[];
}

const statuses: Readonly<Record<string, PlanEntry["status"]>> = {
  "in-progress": "in_progress",
  completed: "completed",
};
const priorities: Readonly<Record<string, PlanEntry["priority"]>> = {
  low: "low",
  high: "high",
  critical: "high",
};

/** Tells the to-dos of the conversation as the plan that they are; nothing where there are none. */
export async function tellPlan(ends: Ends, session: Session): Promise<void> {
  const address = `${conversationPath(session.id)}/export`;
  const exported = await ends.service.send<Exported>("GET", address).catch(() => undefined);
  if (exported === undefined || exported.todos.length === 0) return;
  const entries = exported.todos.map(({ title, status, priority }) => ({
    content: title,
    status: statuses[status] ?? ("pending" as const),
    priority: priorities[priority ?? ""] ?? ("medium" as const),
  }));
  await tell(ends, session, { sessionUpdate: "plan", entries });
}

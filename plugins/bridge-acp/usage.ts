import { conversationPath } from "./service.ts";
import { tell, type Ends, type Session } from "./session.ts";

interface Context {
  readonly contextWindow: number;
  readonly estimatedTokens: number;
}

interface Spent {
  readonly total: { readonly costUsd: number | null };
}

/**
 * Tells how full the model's context is and what the conversation has cost; nothing where the service does
 * not say so.
 */
export async function tellUsage(ends: Ends, session: Session): Promise<void> {
  const { service } = ends;
  try {
    const [context, { total }] = await Promise.all([
      service.send<Context>("GET", `${conversationPath(session.id)}/context`),
      service.send<Spent>("GET", `/api/usage?conversationId=${encodeURIComponent(session.id)}`),
    ]);
    const { estimatedTokens: used, contextWindow: size } = context;
    const cost = total.costUsd ? { cost: { amount: total.costUsd, currency: "USD" } } : {};
    await tell(ends, session, { sessionUpdate: "usage_update", used, size, ...cost });
  } catch {
    // A caller that may chat need not be one that may read these.
  }
}

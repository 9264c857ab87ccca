import { conversationPath, type Conversation, type Service } from "./service.ts";
import { tell, type Ends, type Session } from "./session.ts";

/** What a model saw of a conversation last. */
interface Context {
  readonly contextWindow: number;
  readonly estimatedTokens: number;
  readonly archives: readonly Archive[];
}

/** The summary that stands for messages a model does not see any more. */
export interface Archive {
  readonly id: string;
  /** When the last of these messages was written. */
  readonly to: string;
  readonly summary: string;
}

interface Spent {
  readonly total: { readonly costUsd: number | null };
}

const readContext = (service: Service, id: string): Promise<Context> =>
  service.send<Context>("GET", `${conversationPath(id)}/context`);

/**
 * Tells which messages a summary stands for from now on, how full the model's context is, and what the
 * conversation has cost; nothing where the service does not say so.
 */
export async function tellContext(ends: Ends, session: Session): Promise<void> {
  const { service } = ends;
  try {
    const [context, { total }] = await Promise.all([
      readContext(service, session.id),
      service.send<Spent>("GET", `/api/usage?conversationId=${encodeURIComponent(session.id)}`),
    ]);
    await tellCompactions(ends, session, context.archives);
    const { estimatedTokens: used, contextWindow: size } = context;
    const cost = total.costUsd ? { cost: { amount: total.costUsd, currency: "USD" } } : {};
    await tell(ends, session, { sessionUpdate: "usage_update", used, size, ...cost });
  } catch {
    // A caller that may chat need not be one that may read these.
  }
}

/** The summaries of a conversation that is opened again, for editors that show them. */
export async function readArchives(
  { service, capabilities }: Ends,
  { id }: Pick<Conversation, "id">,
): Promise<readonly Archive[]> {
  if (!capabilities.session?.compaction) return [];
  const context = await readContext(service, id).catch(() => undefined);
  return context?.archives ?? [];
}

/** Tells those of the summaries that the editor does not know yet, where it shows them. */
export async function tellCompactions(
  ends: Ends,
  session: Session,
  archives: readonly Archive[],
): Promise<void> {
  if (!ends.capabilities.session?.compaction) return;
  const fresh = archives.filter(({ id }) => !session.compactions.has(id));
  for (const { id: compactionId, summary } of fresh) {
    session.compactions.add(compactionId);
    const content = { type: "text" as const, text: summary };
    await tell(ends, session, {
      sessionUpdate: "compaction_update",
      compactionId,
      status: "completed",
      summary: [content],
    });
  }
}

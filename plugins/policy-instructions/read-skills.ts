import type { ConversationService, Log, ToolCallSummary } from "@pergola/sdk";

interface Reading {
  readonly paths: ReadonlySet<string>;
  /** Calls that have read a skill, and whose messages are not pinned yet. */
  readonly calls: Set<string>;
}

/** Messages among which the answers to a run's last calls are. */
const newest = 100;

/**
 * Pins the results by which models have read a skill: what they follow is not to be left out when a
 * conversation outgrows their context.
 */
export class ReadSkills {
  readonly #runs = new Map<string, Reading>();

  /** A run is told of the skills at these paths. */
  begin(runId: string, paths: readonly string[]): void {
    if (paths.length > 0) this.#runs.set(runId, { paths: new Set(paths), calls: new Set() });
  }

  note({ call, context, result }: ToolCallSummary): void {
    const run = this.#runs.get(context.runId ?? "");
    if (run === undefined || call.operation !== "read_file" || !result.success) return;
    if (call.paths.some(({ real }) => run.paths.has(real))) run.calls.add(call.id);
  }

  /** Pins what is stored by now. Never rejects: a result that is not pinned can be read again. */
  async pin(
    { runId, conversationId }: { readonly runId: string; readonly conversationId: string },
    { conversations, log }: { readonly conversations: ConversationService; readonly log: Log },
  ): Promise<void> {
    const { calls } = this.#runs.get(runId) ?? {};
    if (calls === undefined || calls.size === 0) return;
    try {
      const messages = await conversations.messages(conversationId, { limit: newest, newest: true });
      for (const { id, toolCallId = "", isPinned } of messages) {
        if (!calls.has(toolCallId)) continue;
        if (isPinned !== false) await conversations.updateMessage(conversationId, id, { isPinned: true });
        calls.delete(toolCallId);
      }
    } catch (error) {
      log.warn({ error, runId }, "a skill that was read is not pinned");
    }
  }

  end(runId: string): void {
    this.#runs.delete(runId);
  }
}

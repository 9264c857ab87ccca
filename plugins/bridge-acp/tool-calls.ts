import type { SessionUpdate, ToolCallContent, ToolCallStatus } from "@agentclientprotocol/sdk";
import { diffsOf } from "./diffs.ts";
import type { Chunk, Service, ToolStatus } from "./service.ts";
import { tell, type Ends, type Session } from "./session.ts";
import { kindOf } from "./tool-kind.ts";

export const textContent = (text: string): ToolCallContent => ({
  type: "content",
  content: { type: "text", text },
});

const statuses: Readonly<Record<ToolStatus, ToolCallStatus>> = {
  queued: "pending",
  userInputRequired: "pending",
  running: "in_progress",
  success: "completed",
  error: "failed",
};

/** The status of a call, as the protocol names it. */
export const statusOf = (status: ToolStatus): ToolCallStatus => statuses[status];

/** What is said of a call in a stream, and of one that a conversation has kept. */
interface Told {
  readonly toolName?: string | null;
  readonly toolOperation?: string | null;
  readonly toolDisplayData?: { readonly summary: string } | null;
  readonly toolDetails?: readonly string[] | null;
}

/** What an editor shows of a call: its title, its kind and its lines. */
export function cardOf({ toolName, toolOperation, toolDisplayData, toolDetails }: Told) {
  const [tool, operation] = [toolName ?? "tool", toolOperation ?? ""];
  const name = operation === "" || operation === tool ? tool : `${tool}.${operation}`;
  const content = (toolDetails ?? []).length > 0 ? [textContent(toolDetails!.join("\n"))] : undefined;
  return {
    title: toolDisplayData?.summary || name,
    kind: kindOf(tool, operation),
    ...(content && { content }),
  };
}

interface Changes {
  readonly changes: readonly {
    readonly id: string;
    readonly callId: string | null;
    readonly path: string;
    readonly kind: string;
  }[];
}

interface ChangeDiff {
  readonly diff: { readonly hunks: readonly { readonly lines: readonly string[] }[] } | null;
}

/** Files whose diffs are shown of one call, and changes of the run among which they are looked for. */
const [mostFiles, mostChanges] = [20, 200];

/** The kinds of call that change no file. */
const changeless = new Set(["read", "search", "fetch", "think"]);

/** What a call has changed in files; nothing where that is not kept, or not for this caller. */
async function changesOf(service: Service, runId: string, callId: string): Promise<ToolCallContent[]> {
  try {
    const { changes } = await service.send<Changes>("GET", `/api/runs/${runId}/changes?limit=${mostChanges}`);
    const own = changes.filter((change) => change.callId === callId).toReversed();
    const diffs = own.slice(0, mostFiles).map(async ({ id, path, kind }) => {
      const { diff } = await service.send<ChangeDiff>("GET", `/api/changes/${id}/diff`);
      return diffsOf({ path, change: kind, hunks: diff?.hunks ?? [] });
    });
    return (await Promise.all(diffs)).flat();
  } catch {
    return [];
  }
}

/** Shows the calls of a turn as they begin, go on and end. */
export class ToolCalls {
  readonly #ends: Ends;
  readonly #session: Session;
  readonly #shown = new Set<string>();

  constructor(ends: Ends, session: Session) {
    this.#ends = ends;
    this.#session = session;
  }

  async show(chunk: Chunk, runId: string): Promise<void> {
    const { toolExecutionId: toolCallId = "", toolStatus = "running" } = chunk;
    const card = cardOf(chunk);
    const isNew = !this.#shown.has(toolCallId);
    this.#shown.add(toolCallId);
    const call = { toolCallId, status: statusOf(toolStatus), ...card };
    if (isNew) await this.#tell({ sessionUpdate: "tool_call", ...call });
    else await this.#tell({ sessionUpdate: "tool_call_update", ...call });
    if (toolStatus !== "success" || changeless.has(card.kind)) return;
    const diffs = await changesOf(this.#ends.service, runId, toolCallId);
    if (diffs.length > 0)
      await this.#tell({
        sessionUpdate: "tool_call_update",
        toolCallId,
        content: [...(card.content ?? []), ...diffs],
      });
  }

  #tell(update: SessionUpdate): Promise<void> {
    return tell(this.#ends, this.#session, update);
  }
}

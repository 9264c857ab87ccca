import type { RunRequest } from "@pergola/sdk";

/** What a spawn asks for beside the task. */
export interface Wishes {
  readonly instructions?: string;
  readonly model?: string;
  readonly maxIterations: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly systemPromptId?: string;
  readonly enableTerminalAccess: boolean;
  readonly enableReasoning?: boolean;
  readonly enableWorkflowMode: boolean;
  readonly enableDynamicIterations: boolean;
  readonly sharedTopicId?: string;
}

/** A sub-agent: its own hidden conversation, in which it does one run after the other. */
export interface Agent {
  readonly id: string;
  /** The call that spawned it: repeated after a crash, it finds the agent again. */
  readonly callId: string;
  /** The conversation that sees it and gets its summaries. */
  readonly parentId: string;
  readonly conversationId: string;
  readonly task: string;
  readonly wishes: Wishes;
  readonly persistent: boolean;
  /** 1 for an agent of a conversation that is none itself. */
  readonly depth: number;
  readonly state: "working" | "idle" | "ended";
  /** Its newest run, and what it was asked, without messages; null until the first one is started. */
  readonly runId: string | null;
  readonly order: RunRequest | null;
  /** What was sent to it while it worked. */
  readonly waiting: readonly string[];
  /** Of its newest run that has ended. */
  readonly summary: string;
  readonly createdAt: string;
}

/** A summary, kept for the conversation above. */
export interface InboxMessage {
  readonly id: string;
  readonly parentId: string;
  readonly agentId: string;
  readonly task: string;
  readonly time: string;
  readonly text: string;
  readonly unread: boolean;
}

import type {
  ActiveRun,
  AppError,
  ChatMessage,
  CompletionReason,
  FinishReason,
  IterationRecord,
  OfferedTool,
  Parts,
  RunContext,
  RunStart,
  ToolCall,
  ToolExecution,
  ToolSession,
} from "@pergola/sdk";
import type { Reply } from "./ask-model.ts";

export interface Ending {
  readonly reason: CompletionReason;
  readonly finishReason?: FinishReason;
  readonly callerCalls?: readonly ToolCall[];
  readonly error?: AppError;
}

/** What one run has gathered so far. */
export interface Flow extends RunStart {
  readonly parts: Parts;
  readonly run: ActiveRun;
  readonly context: RunContext;
  readonly messages: ChatMessage[];
  readonly tools: readonly OfferedTool[];
  readonly system: readonly ChatMessage[];
  readonly session: ToolSession;
  readonly iterations: IterationRecord[];
  readonly executions: ToolExecution[];
  readonly begun: number;
  streamed: string;
  reasoning: string;
  last: Reply | undefined;
  estimated: boolean;
  nudged: boolean;
}

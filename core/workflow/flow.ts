import type {
  AppError,
  ChatMessage,
  CompletionReason,
  FinishReason,
  OfferedTool,
  RunContext,
  ToolCall,
} from "@pergola/sdk";
import type {
  ActiveRun,
  IterationRecord,
  Parts,
  RunStart,
  ToolExecution,
  ToolSession,
} from "@pergola/sdk/host";
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
  /**
   * What follows the thread in the next call, and is stored nowhere: an answer that is not the last, and what
   * is said to it.
   */
  aside: readonly ChatMessage[];
  /** It was told that it said nothing. */
  wasEmpty: boolean;
  /** How often it was told of open to-dos. */
  nudges: number;
  /** Text of answers that were not the last; it begins the next message. */
  carried: string;
  /** Tokens that plugins added to the last call. */
  added: number;
}

/** The text of answers that were not the last, and this one's. */
export function takeCarried(flow: Flow, text: string): string {
  const said = [flow.carried, text].filter((part) => part !== "").join("\n\n");
  flow.carried = "";
  flow.aside = [];
  return said;
}

import type {
  AppError,
  ChatMessage,
  CompletionReason,
  FinishReason,
  IterationRecord,
  OfferedTool,
  RunContext,
  ToolCall,
  ToolExecution,
} from "@pergola/sdk";
import type { Parts } from "../parts.ts";
import type { Reply } from "./ask-model.ts";
import type { Guards } from "./guards.ts";
import type { ActiveRun } from "./live-run.ts";
import type { NamedCall } from "./use-tools.ts";

/** What a run begins with. `history` ends with what the model is to answer; `open` are calls that a crash left without an answer. */
export interface RunStart {
  readonly scope: string;
  readonly workingDirectory: string;
  readonly history: readonly ChatMessage[];
  readonly open: readonly NamedCall[];
  /** What the run has said before it was interrupted. */
  readonly said: string;
}

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
  readonly guards: Guards;
  readonly denials: Map<string, number>;
  readonly iterations: IterationRecord[];
  readonly executions: ToolExecution[];
  readonly begun: number;
  streamed: string;
  reasoning: string;
  last: Reply | undefined;
  estimated: boolean;
  nudged: boolean;
}

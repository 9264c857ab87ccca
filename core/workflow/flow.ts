import type { AppError, ChatMessage, FinishReason, OfferedTool, RunContext, ToolCall } from "@pergola/sdk";
import type {
  CompletionReason,
  ActiveRun,
  IterationRecord,
  OutputForm,
  Parts,
  RunStart,
  ToolExecution,
  ToolSession,
} from "@pergola/sdk/host";
import type { Reply } from "./ask-model.ts";
import type { LateSystem } from "./late-system.ts";

export interface Ending {
  readonly reason: CompletionReason;
  readonly finishReason?: FinishReason;
  /** Calls of the caller's tools; absent where there are none. */
  readonly callerCalls?: readonly ToolCall[];
  readonly error?: AppError;
}

/** What one run has gathered so far. */
export interface Progress {
  readonly iterations: IterationRecord[];
  readonly executions: ToolExecution[];
  readonly begun: number;
  /** The text of all answers. */
  answered: string;
  reasoning: string;
  last: Reply | undefined;
  /** The provider did not count the tokens of every call. */
  estimated: boolean;
  /**
   * What follows the history in the next call and is not stored: an answer that is not the last, and the
   * objection to it.
   */
  aside: readonly ChatMessage[];
  /** An empty answer has been asked again. */
  wasEmpty: boolean;
  /** How often open to-dos have been pointed out. */
  nudges: number;
  /** A call that the request demands has been asked for again. */
  wasUncalled: boolean;
  /** The last answer did not have the form of `output`: the next one is the last, and may call nothing. */
  isRepair: boolean;
  /** Text of answers that were not the last; it begins the next message. */
  carried: string;
  /** Tokens that plugins added to the last call. */
  added: number;
}

/** One run at work. */
export interface Flow extends RunStart, Progress {
  readonly parts: Parts;
  readonly run: ActiveRun;
  readonly context: RunContext;
  readonly tools: readonly OfferedTool[];
  /** The form that the last answer must have: nothing is streamed before it is known to have it. */
  readonly output: OutputForm | undefined;
  readonly system: readonly ChatMessage[];
  /** System messages that stand between the turns of the request. */
  readonly late: readonly LateSystem[];
  /** What plugins say of the call, by kind. */
  readonly told: Map<string, Parameters<RunContext["usePart"]>[0]>;
  readonly session: ToolSession;
}

export const newProgress = (begun: number, answered: string): Progress => ({
  iterations: [],
  executions: [],
  begun,
  answered,
  reasoning: "",
  last: undefined,
  estimated: false,
  aside: [],
  wasEmpty: false,
  nudges: 0,
  wasUncalled: false,
  isRepair: false,
  carried: "",
  added: 0,
});

/** The text of answers that were not the last, and this one's. */
export function takeCarried(progress: Progress, text: string): string {
  const joined = [progress.carried, text].filter((part) => part !== "").join("\n\n");
  progress.carried = "";
  progress.aside = [];
  return joined;
}

/** What a run has streamed, for a message with this text; undefined where it is the same. */
export function streamedBeside(text: string, { streamedText }: ActiveRun): string | undefined {
  if (streamedText === text) return undefined;
  return streamedText;
}

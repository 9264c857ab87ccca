import type { FinishReason, Sampling, Usage } from "./provider.ts";
import type { CompletionReason, RunKind } from "./run.ts";
import type { Effect, OfferedTool, Operation } from "./tool.ts";
import type { Json, JsonObject } from "../util/json.ts";

/** A message with which a recorded run began; pictures are left out. */
export interface RecordedMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  /** Calls of the client's own tools, of which a later message has the result. */
  readonly toolCalls?: readonly RecordedToolCall[];
  readonly toolCallId?: string;
}

/** A call as the model wrote it: its arguments parsed where they are a JSON object, else its text. */
export interface RecordedToolCall {
  /** `call_<model call>_<number>`, both from 1. */
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject | string;
}

/** What a run asks its models for. */
export interface RecordedRequest {
  readonly kind: RunKind;
  readonly messages: readonly RecordedMessage[];
  /** The names of the offered tools, sorted; absent in recordings of runs that did not keep them. */
  readonly tools?: readonly string[];
  /** The definitions of the client's own tools. */
  readonly callerTools: readonly OfferedTool[];
  readonly parameters: Sampling;
  readonly enableMemory: boolean;
  /** Tokens. */
  readonly contextWindow: number;
  readonly maxIterations: number;
}

/** What the model answered to one call. */
export interface RecordedAnswer {
  readonly text: string;
  readonly toolCalls: readonly RecordedToolCall[];
  readonly finishReason: FinishReason;
  /** With this the call failed. */
  readonly error?: RecordedError;
}

export interface RecordedError {
  readonly code: string;
  readonly message: string;
}

/** What became of a call of a tool that the service runs. */
export interface RecordedExecution {
  readonly id: string;
  readonly tool: string;
  /** Empty where the call names none that exists. */
  readonly operation: string;
  /** As the operation gets them: canonical names, defaults filled in. Text that is no JSON object stays. */
  readonly arguments: JsonObject | string;
  /** The person was asked before it, and answered so. */
  readonly approval?: { readonly decision: string; readonly text?: string };
  /** It needed an approval, and an earlier one covered it. */
  readonly granted?: true;
  /** It was answered without its operation: denied, refused by a guard, or with arguments that do not fit. */
  readonly refused?: true;
  /** A plugin's hook changed its result; `result` is what came of that. */
  readonly shaped?: true;
  /** Written by hand where `shaped` is true: what the operation gives to the hooks. */
  readonly given?: JsonObject;
  /** What the model was told. */
  readonly result: Json;
}

/** One model call, and the tool calls that it led to. */
export interface RecordedStep {
  readonly answer: RecordedAnswer;
  readonly executions: readonly RecordedExecution[];
}

/** A tool family that only some services have: what a replay needs to stand in for it. */
export interface RecordedFamily {
  readonly name: string;
  /** Those that were called. */
  readonly operations: readonly (Pick<Operation, "name" | "parameters" | "required" | "additional"> & {
    readonly effect: Effect;
  })[];
}

/**
 * An ended run as data, to be replayed without its model and its tools. No text holds a secret that the
 * service knows or that looks like one; `{workingDirectory}` and `{home}` stand for the two folders.
 */
export interface Cassette {
  readonly format: "pergola-cassette/1";
  /** Where it comes from; a replay does not read it. */
  readonly recorded: {
    readonly runId: string;
    readonly model: string;
    /** ISO 8601 in UTC. */
    readonly at: string;
    /** The version of the service. */
    readonly service: string;
    /** Of the whole run and its sub-agents. */
    readonly usage: Usage;
  };
  /** Preferences that somebody has set and that decide over tool calls, by key. */
  readonly settings: JsonObject;
  readonly families: readonly RecordedFamily[];
  readonly request: RecordedRequest;
  readonly steps: readonly RecordedStep[];
  readonly end: {
    readonly reason: CompletionReason;
    /** The last message; empty where there is none. */
    readonly text: string;
    readonly error?: RecordedError;
  };
}

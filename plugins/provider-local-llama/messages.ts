import type { ChatMessage, Json, ModelCall, ModelEvent, OfferedTool } from "@pergola/sdk";

// What the host and the process that runs a model say to each other.

/** What a model file says of itself. */
export interface ModelFacts {
  readonly kind: "chat" | "embedding";
  readonly trainedContext: number;
  readonly family: string;
  readonly quantization: string;
  readonly dimensions: number;
}

export interface LoadOptions {
  readonly path: string;
  readonly sizeBytes: number;
  readonly contextSize: number;
  readonly batchSize: number;
  readonly parallelSlots: number;
  readonly gpuLayers: number;
  /** Bytes that count as free instead of what the system tells. */
  readonly availableBytes?: number;
}

export interface Loaded {
  /** Tokens of each answer's context. */
  readonly contextSize: number;
}

/** All of its content is text. */
export type TurnMessage = Omit<ChatMessage, "content"> & { readonly content: string };

export type ChatTurn = Pick<ModelCall, "sampling" | "thinking"> & {
  readonly messages: readonly TurnMessage[];
  readonly tools: readonly OfferedTool[];
};

/** The arguments and the answer of each task that the process does. */
export interface Tasks {
  readonly inspect: { readonly asked: { readonly path: string }; readonly told: ModelFacts };
  readonly load: { readonly asked: LoadOptions; readonly told: Loaded };
  /** Its events come one by one. */
  readonly chat: { readonly asked: ChatTurn; readonly told: null };
  readonly embed: {
    readonly asked: { readonly texts: readonly string[] };
    readonly told: readonly Float32Array[];
  };
}

export type TaskName = keyof Tasks;

export type ToProcess =
  | {
      readonly type: "task";
      readonly id: number;
      readonly name: TaskName;
      readonly asked: Tasks[TaskName]["asked"];
    }
  | { readonly type: "cancel"; readonly id: number };

export type FromProcess =
  | { readonly type: "event"; readonly id: number; readonly event: ModelEvent }
  | { readonly type: "done"; readonly id: number; readonly told: Tasks[TaskName]["told"] }
  | {
      readonly type: "failed";
      readonly id: number;
      readonly code: string;
      readonly message: string;
      readonly details?: Readonly<Record<string, Json>>;
    };

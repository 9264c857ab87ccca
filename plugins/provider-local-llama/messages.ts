import type { ChatMessage, ModelCall, ModelEvent, OfferedTool } from "@pergola/sdk";

/** What a model file says of itself. */
export interface ModelFacts {
  readonly kind: "chat" | "embedding";
  readonly trainedContext: number;
  readonly family: string;
  readonly quantization: string;
  readonly dimensions: number;
  /** Its chat template knows of thoughts. */
  readonly thinks: boolean;
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
  /** Bytes of the weights in the memory of a graphics card, estimated by its layers. */
  readonly gpuBytes: number;
}

/** All of its content is text. */
export type TurnMessage = Omit<ChatMessage, "content"> & { readonly content: string };

export type ChatTurn = Pick<ModelCall, "sampling" | "thinking"> & {
  readonly messages: readonly TurnMessage[];
  readonly tools: readonly OfferedTool[];
};

/** What the process does. */
export interface Tasks {
  readonly inspect: { readonly ask: { readonly path: string }; readonly answer: ModelFacts };
  readonly load: { readonly ask: LoadOptions; readonly answer: Loaded };
  readonly chat: { readonly ask: ChatTurn; readonly answer: void; readonly event: ModelEvent };
  readonly embed: {
    readonly ask: { readonly texts: readonly string[] };
    readonly answer: readonly Float32Array[];
  };
}

export type TaskName = keyof Tasks;

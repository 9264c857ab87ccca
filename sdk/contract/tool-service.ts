import type { HeldFileService } from "./held-files.ts";
import type { Caller } from "./run.ts";
import type { Effect, OfferedTool, ToolDisplay, ToolResult } from "./tool.ts";
import type { JsonSchema } from "../util/schema.ts";

/** A tool family as clients see it. */
export interface ToolEntry {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly enabledByDefault: boolean;
  readonly available: boolean;
  readonly unavailableReason: string | null;
  /** The advertised operations. */
  readonly operations: readonly {
    readonly name: string;
    readonly effect: Effect;
    readonly description?: string;
    readonly required?: readonly string[];
  }[];
  readonly inputSchema: JsonSchema;
  /** Id of the plugin. */
  readonly source: string;
}

/** A tool call that a person or a client makes, not a model. */
export interface HandCall {
  readonly name: string;
  /** An object, or a string that holds one. */
  readonly arguments: unknown;
  readonly conversationId?: string;
  readonly workingDirectory?: string;
  readonly waitSeconds: number;
  readonly userInitiated: boolean;
  readonly caller: Caller;
  /** The W3C traceparent below which the call's span belongs. */
  readonly trace?: string | undefined;
  /** Ends the call unless it waits for the person, or has waited. */
  readonly signal: AbortSignal;
  /** Ends the call for good, and what it asks the person with it. */
  readonly cancel?: AbortSignal;
  /** Is told of the call while it goes on: each question to the person, by its approval, and its progress. */
  readonly watch?: { onQuestion?(approvalId: string): void; onProgress?(text: string): void };
}

/** Lists tool families, switches them on and off, and calls them by hand. */
export interface ToolService {
  /** What programs of tools made under protected names. */
  readonly heldFiles: HeldFileService;
  /** Whether a tool family has this very name. */
  isFamily(name: string): boolean;
  list(conversationId?: string): Promise<readonly ToolEntry[]>;
  /** What a model with a context window of so many tokens is offered in a new conversation. */
  listOffers(contextWindow: number): Promise<readonly OfferedTool[]>;
  /**
   * Switches a family on or off: in one conversation, else in all that say nothing of their own
   * (`tools.disabled`). Rejects with `not_found`, and as an update of that preference does.
   */
  enable(
    name: string,
    enabled: boolean,
    of: { readonly conversationId?: string | undefined; readonly caller: Caller },
  ): Promise<void>;
  /** A call made by hand, through the same door as a model's. */
  call(call: HandCall): Promise<{
    readonly tool: string;
    readonly callId: string;
    readonly approvalId?: string;
    readonly result: ToolResult;
    readonly display: ToolDisplay;
  }>;
}

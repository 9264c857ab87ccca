import type { JsonObject, OfferedTool } from "@pergola/sdk";
import type { VectorCache } from "../embedder/vector-cache.ts";
import type { ContextBlock } from "./context-block.ts";
import type { Route } from "../examples/routes.ts";

/** A call of an operation; arguments may still be missing. */
export interface PlannedCall {
  readonly route: Route;
  readonly arguments: JsonObject;
}

/** What the guide does about a message: calls, or a text with what an answer to it would be about. */
export type Plan =
  | { readonly kind: "act"; readonly calls: readonly PlannedCall[] }
  | { readonly kind: "confirm"; readonly text: string; readonly calls: readonly PlannedCall[] }
  | { readonly kind: "choose"; readonly text: string; readonly options: readonly PlannedCall[] }
  | { readonly kind: "ask"; readonly text: string; readonly call: PlannedCall; readonly name: string }
  | { readonly kind: "say"; readonly text: string };

/** What planning works with. */
export interface Means {
  readonly tools: readonly OfferedTool[];
  /** Without them, words alone decide what is near. */
  readonly vectors: VectorCache | undefined;
  readonly context: ContextBlock;
  /** The person's wall clock as milliseconds since 1970, as if it were UTC. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** The most calls made for one message. */
export const mostCalls = 5;

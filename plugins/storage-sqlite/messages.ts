import type { WorkerRequest } from "@pergola/kit-worker";
import type { FindPlan, SearchDocument, SearchHit, SearchOptions, SearchQuery } from "@pergola/sdk";

/** What the worker is started with. */
export interface WorkerOptions {
  readonly dataDirectory: string;
  /** Absolute. */
  readonly file: string;
  readonly durability: Durability;
}

export type Durability = "power" | "process";

/** One write of a commit, checked and made plain. */
export type PlainWrite =
  | { readonly collection: string; readonly put: string; readonly text: string; readonly ifVersion?: number }
  | { readonly collection: string; readonly delete: string; readonly ifVersion?: number }
  | { readonly collection: string; readonly deleteWhere: FindPlan };

/** A record's JSON text and its version. */
export type Row = readonly [text: string, version: number];

/** A record that was written or deleted. */
export interface Touched {
  readonly collection: string;
  readonly id: string;
  readonly deleted: boolean;
}

/** Everything the worker can be asked, with the answer to each. */
export interface Operations {
  readonly declare: {
    readonly ask: { readonly collection: string; readonly indexes: readonly (readonly string[])[] };
    readonly answer: void;
  };
  readonly get: {
    readonly ask: { readonly collection: string; readonly id: string };
    readonly answer: Row | undefined;
  };
  readonly find: {
    readonly ask: { readonly collection: string; readonly plan: FindPlan };
    readonly answer: readonly Row[];
  };
  readonly count: {
    readonly ask: { readonly collection: string; readonly plan: FindPlan };
    readonly answer: number;
  };
  readonly commit: {
    readonly ask: { readonly writes: readonly PlainWrite[] };
    readonly answer: readonly Touched[];
  };
  readonly declareSearch: {
    readonly ask: { readonly search: string; readonly options: SearchOptions };
    readonly answer: void;
  };
  readonly index: {
    readonly ask: { readonly search: string; readonly documents: readonly SearchDocument[] };
    readonly answer: void;
  };
  readonly unindex: {
    readonly ask: { readonly search: string; readonly ids: readonly string[] };
    readonly answer: void;
  };
  readonly unindexScope: {
    readonly ask: { readonly search: string; readonly scope: string };
    readonly answer: void;
  };
  readonly query: {
    readonly ask: { readonly search: string; readonly query: SearchQuery };
    readonly answer: readonly SearchHit[];
  };
  readonly putBlob: {
    readonly ask: { readonly id: string; readonly bytes: Uint8Array };
    readonly answer: void;
  };
  readonly getBlob: {
    readonly ask: { readonly id: string; readonly start: number; readonly end: number };
    readonly answer: Uint8Array | undefined;
  };
  readonly deleteBlob: { readonly ask: { readonly id: string }; readonly answer: boolean };
}

export type OperationName = keyof Operations;
export type Ask<N extends OperationName> = Operations[N]["ask"];
export type Answer<N extends OperationName> = Operations[N]["answer"];

export type Request<N extends OperationName = OperationName> = WorkerRequest<Operations, N>;

/** Why the file cannot be used, in words for the operator. */
export interface Refusal {
  readonly reason: string;
  readonly remedy: string;
  readonly cause?: string;
}

export interface LogMessage {
  readonly level: "info" | "warn" | "error";
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** What the worker says unasked. */
export type Notice = { readonly opened: true } | { readonly refused: Refusal } | { readonly log: LogMessage };

import type { WorkerRequest } from "@pergola/kit-worker";
import type {
  Change,
  FindPlan,
  IndexValue,
  SearchDocument,
  SearchHit,
  SearchOptions,
  SearchQuery,
  Storage,
} from "@pergola/sdk";

/** What the worker is told first. */
export interface WorkerOptions {
  readonly dataDirectory: string;
  /** Absolute. */
  readonly file: string;
  readonly durability: Durability;
  /** Tells one storage from another; the same for each thread that works for it. */
  readonly instance: string;
}

export type Durability = "power" | "process";

/** One write of a commit, checked and made plain. */
export type PlainWrite =
  | {
      readonly collection: string;
      readonly put: string;
      /** JSON; the bytes of its UTF-8 where it is long, which move to the worker instead of being copied. */
      readonly text: string | Uint8Array<ArrayBuffer>;
      /** What indexes hold for the record, by field; what is missing is read from the text. */
      readonly columns?: Readonly<Record<string, IndexValue>>;
      readonly ifVersion?: number;
    }
  | { readonly collection: string; readonly delete: string; readonly ifVersion?: number }
  | { readonly collection: string; readonly deleteWhere: FindPlan };

/** A record's JSON text and its version. */
export type Row = readonly [text: string, version: number];

export type TextIndex = ReturnType<NonNullable<Storage["text"]>>;
export type IndexedText = Parameters<TextIndex["index"]>[0][number];
export type TextQuery = Parameters<TextIndex["find"]>[0];
export type TextMatch = Awaited<ReturnType<TextIndex["find"]>>[number];

export type StorageContents = NonNullable<Storage["contents"]>;
export type Contents = Awaited<ReturnType<StorageContents["list"]>>;
/** As the contract gives it. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

interface Exchange<Asked, Answered = void> {
  readonly ask: Readonly<Asked>;
  readonly answer: Answered;
}

/** Everything the worker can be asked, with the answer to each. */
export interface Operations {
  readonly declare: Exchange<{ collection: string; indexes: readonly (readonly string[])[] }>;
  readonly get: Exchange<{ collection: string; id: string }, Row | undefined>;
  readonly find: Exchange<{ collection: string; plan: FindPlan }, readonly Row[]>;
  readonly count: Exchange<{ collection: string; plan: FindPlan }, number>;
  readonly commit: Exchange<{ writes: readonly PlainWrite[] }, readonly Change[]>;
  readonly declareSearch: Exchange<{ search: string; options: SearchOptions }>;
  readonly index: Exchange<{ search: string; documents: readonly SearchDocument[] }>;
  readonly unindex: Exchange<{ search: string; ids: readonly string[] }>;
  readonly unindexScope: Exchange<{ search: string; scope: string }>;
  readonly query: Exchange<{ search: string; query: SearchQuery }, readonly SearchHit[]>;
  readonly declareTexts: Exchange<{ name: string }>;
  readonly indexTexts: Exchange<{ name: string; texts: readonly IndexedText[] }>;
  readonly removeTextScope: Exchange<{ name: string; scope: string }>;
  readonly findTexts: Exchange<{ name: string; query: TextQuery }, readonly TextMatch[]>;
  readonly putBlob: Exchange<{ id: string; bytes: Uint8Array }>;
  readonly getBlob: Exchange<{ id: string; start: number; end: number }, Uint8Array | undefined>;
  readonly deleteBlob: Exchange<{ id: string }, boolean>;
  readonly listContents: Exchange<object, Contents>;
  readonly documents: Exchange<{ search: string; after: string | undefined }, Page<SearchDocument>>;
  readonly blobIds: Exchange<{ after: string | undefined }, Page<string>>;
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

import type { Caller } from "@pergola/sdk";

/** A form for the person in front of an MCP client: one text field, with choices or without. */
export interface Form {
  readonly message: string;
  readonly title: string;
  readonly options: readonly string[];
}

/** What came of a form: a text, a no, or nothing. */
export type FormAnswer = { readonly text: string } | "declined" | "dismissed";

/** One call of an MCP client, as far as the host speaks with the client during it. */
export interface ClientCall {
  readonly caller: Caller;
  /** The client's name, as it gives it. */
  readonly client: string;
  /** The W3C traceparent below which the call's span belongs. */
  readonly trace: string | undefined;
  /** The client has cancelled the call, or its session has ended. */
  readonly signal: AbortSignal;
  /** Undefined for a client that cannot ask its person. */
  readonly ask: ((form: Form, signal: AbortSignal) => Promise<FormAnswer>) | undefined;
  progress(text: string): void;
}

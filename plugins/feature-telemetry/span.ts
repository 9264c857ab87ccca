import type { TraceContext } from "./trace-context.ts";

export type Attributes = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Something that has ended. Times are milliseconds since 1970. */
export interface Span {
  readonly context: TraceContext;
  readonly parent?: { readonly spanId: string; readonly isRemote: boolean } | undefined;
  /** `client`: something elsewhere was asked. */
  readonly kind: "internal" | "client";
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  /** Why it failed; undefined where it did not. */
  readonly failure: string | undefined;
}

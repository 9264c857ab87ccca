/** What the sample workers can do. */
export interface SampleTasks {
  readonly double: { readonly ask: number; readonly answer: number };
  readonly fail: { readonly ask: "error" | "tool-error" | "app-error" | "text"; readonly answer: never };
  readonly hang: { readonly ask: null; readonly answer: never };
  readonly spin: { readonly ask: null; readonly answer: never };
  readonly wait: { readonly ask: null; readonly answer: string };
  readonly count: { readonly ask: number; readonly answer: string; readonly event: number };
  readonly exit: { readonly ask: number; readonly answer: never };
  readonly crash: { readonly ask: null; readonly answer: never };
  readonly fill: { readonly ask: null; readonly answer: never };
  readonly buffers: { readonly ask: null; readonly answer: never };
  /** Megabytes that the thread has taken for new values after work. */
  readonly churn: { readonly ask: null; readonly answer: number };
  readonly bytes: { readonly ask: Uint8Array; readonly answer: Uint8Array };
  readonly who: { readonly ask: null; readonly answer: number };
  readonly environment: { readonly ask: null; readonly answer: readonly string[] };
}

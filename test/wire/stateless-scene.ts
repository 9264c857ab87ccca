export interface Reply {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string>;
}

export interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

export const revision = "2026-07-28";
export const allow: Reply = { action: "accept", content: { answer: "allow once" } };
export const wipe = { operation: "wipe", name: "w" };

import { styled } from "./visible.ts";

export const marks = {
  ok: styled("green", "✓"),
  note: styled("yellow", "!"),
  fault: styled("red", "✗"),
} as const;

/** One line of what `pergola doctor` shows. */
export interface Finding {
  readonly level: keyof typeof marks;
  readonly what: string;
  readonly detail: string;
}

const finding =
  (level: Finding["level"]) =>
  (what: string, detail: string): Finding => ({ level, what, detail });

export const ok = finding("ok");
export const note = finding("note");
export const fault = finding("fault");

/** What a model's context allows, in tokens. */
export interface Room {
  readonly contextWindow: number;
  /** What is sent beside the window: system prompts, tools, what plugins add. */
  readonly reserved: number;
}

/** Tokens that may be sent: 85 % of the context, less room for the answer. */
export const usable = (context: number): number =>
  Math.floor(0.85 * context) - Math.min(8000, Math.floor(context / 4));

/** Tokens that are left to the window. */
export const windowRoom = ({ contextWindow, reserved }: Room): number => usable(contextWindow) - reserved;

/** Tokens that the summary of what was left out may have. */
export const summaryRoom = (room: Room): number =>
  Math.max(0, Math.min(1500, Math.floor(windowRoom(room) / 5)));

/**
 * Tokens that the newest turns may have once something must go. A third of what is free stays free: the
 * window grows for a while before it is cut again, and until then its beginning stays what it is, which is
 * what the caches of providers live on.
 */
export function tailRoom(room: Room, fixed: number): number {
  const most = usable(room.contextWindow);
  const target = Math.min(most, Math.max(Math.floor(room.contextWindow / 2), Math.min(32_000, most)));
  const reserved = fixed + summaryRoom(room);
  return Math.max(
    0,
    Math.min(target - room.reserved - reserved, Math.floor(((windowRoom(room) - reserved) * 2) / 3)),
  );
}

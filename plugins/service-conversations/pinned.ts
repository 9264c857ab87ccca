import { AppError, type Conversation, type Message } from "@pergola/sdk";

const most = 100;

export const noMessage = (id: string): AppError =>
  new AppError({ code: "not_found", message: `The conversation has no message "${id}".` });

/**
 * The ids of pinned messages once this one is as it is now. Throws `invalid_value` where there would be too
 * many.
 */
export function pinnedWith(
  { pinnedMessageIds = [] }: Conversation,
  { id, isPinned }: Message,
): readonly string[] {
  const others = pinnedMessageIds.filter((other) => other !== id);
  if (isPinned !== true) return others;
  if (others.length >= most)
    throw new AppError({
      code: "invalid_value",
      message: `At most ${most} messages of a conversation can be pinned.`,
      param: "isPinned",
    });
  return [...others, id];
}

import { mergeNeighbours } from "@pergola/kit-provider";
import type { TurnMessage } from "../messages.ts";

function merge(previous: TurnMessage, next: TurnMessage): TurnMessage | undefined {
  if (previous.role !== next.role) return undefined;
  return { ...previous, content: [previous.content, next.content].filter(Boolean).join("\n\n") };
}

/**
 * For strict templates: no system message, user and assistant in turn, the user first. All other messages
 * become the user's.
 */
export function foldMessages(messages: readonly TurnMessage[]): readonly TurnMessage[] {
  const turns = messages.map(({ role, content }): TurnMessage => ({
    role: role === "assistant" ? "assistant" : "user",
    content,
  }));
  const folded = mergeNeighbours(turns, merge);
  if (folded[0]?.role !== "assistant") return folded;
  return [{ role: "user", content: "" }, ...folded];
}

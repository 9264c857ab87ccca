import type { TurnMessage } from "../messages.ts";

const joined = (a: TurnMessage, b: TurnMessage): TurnMessage => ({
  ...a,
  content: [a.content, b.content].filter(Boolean).join("\n\n"),
});

/**
 * For strict templates: no system message, user and assistant in turn, the user first. What others said goes
 * to the user's side.
 */
export function foldMessages(messages: readonly TurnMessage[]): readonly TurnMessage[] {
  const folded: TurnMessage[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = folded.at(-1);
    const own: TurnMessage = { role, content: message.content };
    if (last?.role === role) folded[folded.length - 1] = joined(last, own);
    else folded.push(own);
  }
  return folded[0]?.role === "assistant" ? [{ role: "user", content: "" }, ...folded] : folded;
}

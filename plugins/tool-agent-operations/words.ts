import type { ChatMessage, Message, RunRecord } from "@pergola/sdk";

const longestSummary = 2000;
const longestTitle = 100;

const role =
  "You are a sub-agent: another agent has given you one task, and nobody reads along. Work on it with your " +
  "tools until it is done.\n" +
  `Your last answer goes back as the result, at most ${longestSummary} characters of it: what you found or ` +
  "did, where it is, what is left open.";

/** The first messages of an agent: who it is, how to work, and what to do. */
export const messagesFor = (
  instructions: string | undefined,
  parts: readonly string[],
): readonly ChatMessage[] => [
  { role: "system", content: [role, instructions].filter((part) => part !== undefined).join("\n\n") },
  { role: "user", content: parts.join("\n\n") },
];

export const titleFor = (task: string): string =>
  `Sub-agent: ${task.replaceAll(/\s+/g, " ").trim().slice(0, longestTitle)}`;

const endings: Readonly<Record<string, string>> = {
  max_iterations_reached: "It reached its limit of iterations before it was done.",
  cancelled: "It was cancelled before it was done.",
  tool_execution_failed: "It gave up: its tool calls kept failing.",
  error: "It failed.",
};

/**
 * What the conversation above learns of a run: its last answer, after what went wrong. At most 2,000
 * characters.
 */
export function summaryOf(
  { completionReason, error }: Pick<RunRecord, "completionReason" | "error">,
  messages: readonly Message[],
): string {
  const answer =
    messages.findLast(({ role: by, content }) => by === "assistant" && content !== null && content !== "")
      ?.content ?? "";
  const failed = endings[completionReason ?? ""];
  const text =
    [failed, error?.message, answer].filter((part) => part !== undefined && part !== "").join("\n") ||
    "It ended without a word.";
  if (text.length <= longestSummary) return text;
  return `${text.slice(0, longestSummary - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

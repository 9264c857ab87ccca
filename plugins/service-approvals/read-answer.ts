import type { AnswerInput, ApprovalRecord } from "@pergola/sdk";

const yes = new Set([
  "yes",
  "y",
  "ok",
  "okay",
  "approve",
  "approved",
  "allow",
  "confirm",
  "proceed",
  "go ahead",
]);

/** Exact words only: whatever else is said to an approval is no. */
export function readAnswer(
  kind: ApprovalRecord["kind"],
  { approved, text = "" }: AnswerInput,
): { readonly decision: "approved" | "denied" | "text"; readonly answer: string } {
  if (kind === "question") {
    if (text !== "" || approved === undefined) return { decision: "text", answer: text };
    return { decision: "text", answer: approved ? "Approved" : "Denied" };
  }
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, "");
  const approves = approved ?? yes.has(word);
  return { decision: approves ? "approved" : "denied", answer: text };
}

import { ToolError } from "@pergola/sdk";
import type { StoredApproval } from "@pergola/sdk/host";

/**
 * What a call that did not get its yes returns; `denials` counts those of its operation in this run, this one
 * too.
 */
export function refusal(closed: StoredApproval, denials: number): ToolError {
  if (closed.status === "expired")
    return new ToolError("approval_expired", "Nobody answered the approval in time.", {
      hint: "Ask the person whether to try again.",
    });
  if (closed.status === "cancelled")
    return new ToolError("cancelled", "The call was cancelled while it waited for the person.");
  const answer = closed.answer ? ` They said: ${closed.answer}` : "";
  let hint = "Do something else, or explain why it is needed.";
  if (denials >= 2) hint = "Do not ask for this operation again in this run.";
  return new ToolError("denied", `The person said no.${answer}`, { hint });
}

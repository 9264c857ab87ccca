import { ToolError, type ToolContext } from "@pergola/sdk";

/** Throws ToolError `denied` unless the person says yes. */
export async function askApproval(call: ToolContext, prompt: string, context: string): Promise<void> {
  const { decision, text } = await call.ask({ prompt, context, options: ["approve", "refuse"] });
  if (decision === "approved" || (decision === "text" && text.trim().toLowerCase() === "approve")) return;
  throw new ToolError("denied", "The person did not approve it.", { hint: "Go on without this server." });
}

import type { ToolDisplay } from "./tool.ts";

/** What a person sees of a call: the action, what it works on, an icon and further lines. */
export function toolDisplay(
  actionDisplayName: string,
  subject: string,
  icon: string,
  details: readonly string[] = [],
): Partial<ToolDisplay> {
  const summary = [actionDisplayName, subject].filter(Boolean).join(": ");
  return { actionDisplayName, summary, details, icon };
}

import type { CallRecorder } from "@pergola/sdk/host";
import { lineageOf, personsConversation, type Checked } from "./check-call.ts";
import { isHarmless } from "./describe-tool.ts";
import type { Passage } from "./passage.ts";

/** What the call changes in files goes on record, where it may change any. */
export function recorderOf({ parts, setting }: Passage, call: Checked): CallRecorder | undefined {
  const { id: callId, tool, operation, effect, paths, workingDirectory, entry } = call;
  if (isHarmless(effect)) return undefined;
  return parts.changes?.recorder({
    callId,
    tool,
    operation,
    effect,
    workingDirectory,
    lineage: lineageOf(setting.run),
    programs: programsOf(entry.plugin.permissions.processes),
    conversationId: setting.conversation.id,
    personsConversationId: personsConversation(setting),
    paths: paths.map(({ real }) => real),
  });
}

function programsOf(processes: "any" | readonly string[] = []): "any" | "some" | "none" {
  if (processes === "any") return "any";
  if (processes.length === 0) return "none";
  return "some";
}

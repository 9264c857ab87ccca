import { defined, type RunRequest } from "@pergola/sdk";
import type { NewRun } from "@pergola/sdk/host";

const plainChat = {
  kind: "chat",
  model: "default",
  callerTools: [],
  builtinTools: "all",
  sampling: {},
  includeReasoning: false,
  toolSwitches: {},
  enableMemory: false,
  customInstructions: [],
} as const satisfies Partial<RunRequest>;

/** A request with all that its starter has left out. */
export const completeRequest = (request: NewRun): RunRequest => ({ ...plainChat, ...defined(request) });

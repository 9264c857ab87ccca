import type { Conversation, Json, PreferenceService, RunContext, RunRequest } from "@pergola/sdk";
import { endpointRequest } from "@pergola/sdk/testing";

export const conversation: Conversation = {
  id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
  alias: null,
  title: "New Conversation",
  titleSetBy: "default",
  created: "2026-01-01T00:00:00.000Z",
  updated: "2026-01-01T00:00:00.000Z",
  messageCount: 0,
  model: null,
  settings: {},
  folderId: null,
  topicId: null,
  isPinned: false,
  hidden: false,
  isFromAPI: true,
  workingDirectory: null,
  workspace: null,
  enabledCustomInstructionIds: [],
  nextSeq: 1,
};

const request: RunRequest = {
  kind: "chat",
  model: "embedded/guide",
  messages: [],
  callerTools: [],
  builtinTools: "all",
  sampling: {},
  includeReasoning: false,
  toolSwitches: {},
  enableMemory: true,
  customInstructions: [],
  caller: endpointRequest().caller,
};

const model = {
  modelId: "embedded/guide",
  providerId: "embedded",
  providerType: "embedded",
  providerName: "Embedded",
  isLocal: true,
  baseUrl: "local",
  contextWindow: 8192,
  maxOutputTokens: 2048,
  supportsTools: true,
  supportsVision: false,
  family: "guide",
  source: "provider",
} as const;

export interface Scene extends RunContext {
  readonly warnings: readonly string[];
  readonly parts: readonly Parameters<RunContext["usePart"]>[0][];
}

/** A run's context; its warnings are kept. */
export function scene(
  facts: {
    readonly request?: Partial<RunRequest>;
    readonly conversation?: Partial<Conversation>;
    readonly iteration?: number;
  } = {},
): Scene {
  const warnings: string[] = [];
  const parts: Parameters<RunContext["usePart"]>[0][] = [];
  return {
    runId: "run_1",
    request: { ...request, ...facts.request },
    conversation: { ...conversation, ...facts.conversation },
    scope: conversation.id,
    workingDirectory: "/work/project",
    model,
    iteration: facts.iteration ?? 1,
    maxIterations: 300,
    signal: new AbortController().signal,
    warn: (text) => void warnings.push(text),
    useMemory: () => undefined,
    usePart: (part) => void parts.push(part),
    warnings,
    parts,
  };
}

const defaults: Readonly<Record<string, Json>> = {
  default_system_prompt_id: "00000000-0000-0000-0000-000000000001",
  default_personality_id: "00000000-0000-0000-0000-000000000001",
  "user.name": "",
  "user.language": "",
  "user.location": "",
  "user.time_zone": "UTC",
};

export const preferences = (set: Readonly<Record<string, Json>> = {}): Pick<PreferenceService, "get"> => ({
  get: <T extends Json>(key: string) => ({ ...defaults, ...set })[key] as T,
});

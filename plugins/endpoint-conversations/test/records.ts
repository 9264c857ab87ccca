import type { Conversation, Json, Message, PreferenceService, RunRecord } from "@pergola/sdk";

export const id = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";

export const conversation: Conversation = {
  id,
  alias: "notes",
  title: "Apples",
  titleSetBy: "user",
  created: "2026-01-01T00:00:00.000Z",
  updated: "2026-01-02T00:00:00.000Z",
  messageCount: 2,
  model: "custom/m",
  settings: {},
  folderId: null,
  topicId: null,
  isPinned: false,
  hidden: false,
  isFromAPI: true,
  workingDirectory: null,
  workspace: "/data/workspaces/apples-6f9619ff",
  enabledCustomInstructionIds: ["mini-1"],
  nextSeq: 3,
  activeMessageId: "m1",
};

export const message = (seq: number, more: Partial<Message> = {}): Message => ({
  id: `m${seq}`,
  conversationId: id,
  seq,
  role: "user",
  type: "user",
  content: `text ${seq}`,
  timestamp: "2026-01-01T00:00:00.000Z",
  runId: null,
  visible: true,
  ...more,
});

export const run: RunRecord = {
  id: "run_1",
  conversationId: id,
  parentRunId: null,
  kind: "chat",
  status: "ended",
  completionReason: "workflow_complete",
  model: "custom/m",
  provider: "custom",
  iterations: 2,
  maxIterations: 300,
  toolCallCount: 1,
  toolsUsed: ["think"],
  hadErrors: false,
  error: null,
  usage: { promptTokens: 100, completionTokens: 20 },
  cost: 0,
  pendingToolCallIds: [],
  createdAt: "2026-01-01T00:00:00.000Z",
  startedAt: "2026-01-01T00:00:01.000Z",
  endedAt: "2026-01-01T00:00:03.500Z",
};

const values: Readonly<Record<string, Json>> = {
  default_model: "embedded/guide",
  default_system_prompt_id: "00000000-0000-0000-0000-000000000001",
  default_personality_id: "00000000-0000-0000-0000-000000000001",
};

export const preferences: Pick<PreferenceService, "get"> = {
  get: <T extends Json>(key: string) => values[key] as T,
};

/** A service that holds these messages, and the pages that were asked of it. */
export function reader(messages: readonly Message[]) {
  const asked: { readonly limit: number; readonly after?: number }[] = [];
  return {
    asked,
    messages: async (_id: string, page: { readonly limit: number; readonly after?: number }) => {
      asked.push(page);
      return messages.filter(({ seq }) => seq > (page.after ?? 0)).slice(0, page.limit);
    },
  };
}

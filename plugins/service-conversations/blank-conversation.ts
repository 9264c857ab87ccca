/** What a new conversation holds before anybody set anything. */
export const blankConversation = {
  alias: null,
  title: "New Conversation",
  titleSetBy: "default",
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
  enabledCustomInstructionIds: [] as readonly string[],
  nextSeq: 1,
} as const;

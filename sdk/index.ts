export type { Clock } from "./contract/clock.ts";
export type {
  Answer,
  CheckedPath,
  FetchInit,
  FileChange,
  FileInfo,
  Files,
  Question,
  ResultChunk,
  RunHandle,
  SpawnOptions,
  SpawnResult,
  ToolContext,
} from "./contract/context.ts";
export type {
  Conversation,
  ConversationFields,
  ConversationService,
  ConversationSettings,
  Message,
} from "./contract/conversation.ts";
export { defineEndpoints, defineRoute, type RouteRequest } from "./contract/define-route.ts";
export type {
  EndpointAnswer,
  EndpointGroup,
  EndpointRequest,
  Method,
  OptionalService,
  Route,
  ServerEvent,
  ServicesWith,
} from "./contract/endpoint.ts";
export { errorTable } from "./contract/error-table.ts";
export { AppError, PluginError, ToolError } from "./contract/errors.ts";
export { fileFailure } from "./contract/file-failure.ts";
export { withFileLocks } from "./contract/file-locks.ts";
export type {
  CallContext,
  Chat,
  DoorRequest,
  HookName,
  Hooks,
  ModelCallSummary,
  PendingCall,
  RunContext,
  ToolCallSummary,
  ToolRegistry,
  Verdict,
} from "./contract/hooks.ts";
export type { Log } from "./contract/log.ts";
export type {
  HistoryChunk,
  HistoryQuery,
  MemoryChanges,
  MemoryDraft,
  MemoryFilter,
  MemoryHit,
  MemoryItem,
  MemoryKind,
  MemoryOrigin,
  MemoryPage,
  MemoryQuery,
  MemoryScope,
  MemoryService,
  RememberedMemory,
  ScopedMemory,
} from "./contract/memory.ts";
export type { ModelEntry } from "./contract/model-entry.ts";
export type { Page } from "./contract/page.ts";
export { parseArguments } from "./contract/parse-arguments.ts";
export { definePlugin, type Plugin, type PluginHost } from "./contract/plugin.ts";
export { type Preference, type PreferenceService } from "./contract/preferences.ts";
export {
  type ChatMessage,
  type ContentPart,
  defineProvider,
  type FinishReason,
  type ModelCall,
  type ModelEvent,
  type ModelInfo,
  type Provider,
  type ProviderDefinition,
  type ProviderDoor,
  type ProviderFetch,
  type ProviderPreset,
  type ProviderResponse,
  type ProviderSettings,
  type ProviderVault,
  type Sampling,
  type Thinking,
  type ToolCall,
  type Usage,
} from "./contract/provider.ts";
export type {
  ApprovalRecord,
  Caller,
  LiveRun,
  RunEvent,
  RunLog,
  RunParent,
  RunRecord,
  RunRequest,
} from "./contract/run.ts";
export type { ModelDetails, RunOutcome } from "./contract/run-outcome.ts";
export type { PluginStatus } from "./contract/plugin-status.ts";
export type {
  AnswerInput,
  ApprovalService,
  Grant,
  ModelService,
  ProviderStatus,
  RunService,
  Services,
  SystemService,
} from "./contract/services.ts";
export {
  type BlobStore,
  type Change,
  type Collection,
  type CollectionOptions,
  defineStorage,
  type Entity,
  type Filter,
  type FindOptions,
  type IndexValue,
  type SearchDocument,
  type SearchHit,
  type SearchIndex,
  type SearchOptions,
  type SearchQuery,
  type Storage,
  type StorageDefinition,
  type StorageDoor,
  type Stored,
  type Write,
} from "./contract/storage.ts";
export type { DeviceLogin, ProviderQuota } from "./contract/subscription.ts";
export type { ResultService, StoredResult } from "./contract/results.ts";
export { longestResultChunk, readResultChunk } from "./contract/read-result-chunk.ts";
export { isOpenTodo, type Todo, type TodoKeeper } from "./contract/todos.ts";
export type { HandCall, ToolEntry, ToolService } from "./contract/tool-service.ts";
export { defineTool } from "./contract/define-tool.ts";
export {
  defineOperation,
  type Effect,
  type OfferedOperation,
  type OfferedTool,
  type Operation,
  type OperationExample,
  type OperationResult,
  type Place,
  type ProbeContext,
  type Recovery,
  type Tool,
  type ToolDisplay,
  type ToolResult,
  type TouchedPath,
} from "./contract/tool.ts";
export { toolDisplay } from "./contract/tool-display.ts";
export { addBlock } from "./provider/add-block.ts";
export { AnswerEvents } from "./provider/answer-events.ts";
export { estimateTokens, textTokens } from "./provider/estimate-tokens.ts";
export { lastUserIndex } from "./provider/last-user-index.ts";
export type { AnswerFault, AnswerPart, PartReader } from "./provider/part-reader.ts";
export { ProviderClient, type ProviderRequest } from "./provider/provider-client.ts";
export { providerFailure } from "./provider/provider-failure.ts";
export { type FailureOptions, ProviderFailures, type FailureDetails } from "./provider/provider-failures.ts";
export { type AnswerOptions, streamAnswer } from "./provider/stream-answer.ts";
export { checkDocument, checkQuery } from "./storage/check-search.ts";
export { findByPlan } from "./storage/find-by-plan.ts";
export { candidateCount, fuseRanks } from "./storage/fuse-ranks.ts";
export { compareIndexValues, indexValueOf, typeRank } from "./storage/index-order.ts";
export {
  type FieldCondition,
  type FindPlan,
  indexLists,
  mergeIndexes,
  planFind,
} from "./storage/plan-find.ts";
export { recordFrom, recordText } from "./storage/record-text.ts";
export { checkStorageId, isStorageId } from "./storage/storage-ids.ts";
export { StorageWatchers } from "./storage/storage-watchers.ts";
export { versionConflict } from "./storage/version-conflict.ts";
export { settingsProperties } from "./wire/conversation-settings.ts";
export {
  settlesBeforePing,
  waitForStreamStart,
  outcomeOf,
  runHeaders,
  startForClient,
} from "./wire/follow-run.ts";
export { bypassMetadata, metadataOf } from "./wire/run-metadata.ts";
export { extensionFields } from "./wire/wire-events.ts";
export { pageQuery, successSchema } from "./wire/route-schemas.ts";
export { detailProperties, wireDetail } from "./wire/wire-detail.ts";
export { wireMessage } from "./wire/wire-message.ts";
export { summaryProperties, wireSummary } from "./wire/wire-summary.ts";
export { answerProperties, readAnswer, wireAnswer, wireRun, wireUsage } from "./wire/wire.ts";
export { closeNames } from "./util/close-names.ts";
export { compareText } from "./util/compare-text.ts";
export { countOf } from "./util/count-of.ts";
export { defined } from "./util/defined.ts";
export { didYouMean } from "./util/did-you-mean.ts";
export { newId } from "./util/ids.ts";
export { isBelow } from "./util/is-below.ts";
export { isObject } from "./util/is-object.ts";
export type { Awaitable, Json, JsonObject } from "./util/json.ts";
export { messageOf } from "./util/message-of.ts";
export type { FromProperties, FromSchema, JsonSchema, Properties } from "./util/schema.ts";
export { searchWords } from "./util/search-words.ts";
export { stringOf } from "./util/string-of.ts";
export { KeyedQueue } from "./util/keyed-queue.ts";

export type {
  AccessService,
  AuditEntry,
  MadeToken,
  SignedIn,
  SignInCode,
  TokenDraft,
  TokenRecord,
} from "../contract/access.ts";
export type { ArchiveRecord, ConversationDigest } from "../contract/archive.ts";
export type {
  ChangeDiff,
  DiffRequest,
  PreviewDiff,
  ChangeGap,
  ChangePage,
  ChangeService,
  FileChangeRecord,
  FileState,
  RevertOutcome,
  RevertRequest,
  TextDiff,
} from "../contract/changes.ts";
export type { EventRequest, EventService } from "../contract/events.ts";
export type { Notice, NoticeService } from "../contract/notices.ts";
export type { Schedule, ScheduleDraft, ScheduleFields, ScheduleService } from "../contract/schedules.ts";
export type { ModelCallContent } from "../contract/hooks.ts";
export type { InstructionService, Skill, SkillList } from "../contract/instructions.ts";
export type { Fence, StorageHosts } from "../contract/storage.ts";
export type {
  ContentsPage,
  OpenRun,
  SharedHost,
  StorageContents,
  StorageNames,
  StorageView,
} from "../contract/storage-contents.ts";
export { searchProgress } from "./search-progress.ts";
export type { FoundMessage, FoundMessages, Mark, MessageSearch, SearchService } from "../contract/search.ts";
export type { HeldFile, HeldFileService } from "../contract/held-files.ts";
export type {
  ConversationFilter,
  Fork,
  MessageChanges,
  MessagePage,
  MessagePageQuery,
  StoredCall,
} from "../contract/conversation.ts";
export type {
  DownloadRequest,
  DownloadService,
  DownloadState,
  DownloadStatus,
  FoundRepository,
} from "../contract/downloads.ts";
export { toolErrorTable } from "../contract/error-table.ts";
export { systemFailure } from "../contract/file-failure.ts";
export type {
  FileService,
  FolderEntry,
  FolderPage,
  ReceivedFile,
  SentFile,
  WrittenFile,
} from "../contract/files.ts";
export type { Folder, FolderService } from "../contract/folders.ts";
export type {
  ImportedMcpServer,
  LeftOutMcpServer,
  McpImport,
  McpImportAnswer,
  McpImportAnswers,
  McpImporter,
  McpImportInput,
  McpImportSurroundings,
} from "../contract/mcp-import.ts";
export type {
  McpPrompt,
  McpPromptCall,
  McpPromptService,
  McpServerChange,
  McpServerReview,
  McpServerService,
  McpServerStatus,
  McpServerTool,
  McpSignInReturn,
  McpSignInStart,
} from "../contract/mcp-servers.ts";
export type { MemoryPruning, MemorySource, MemoryStatistics } from "../contract/memory.ts";
export { sdkGeneration } from "../contract/plugin.ts";
export type { PreferenceUpdate } from "../contract/preferences.ts";
export {
  type MiniPrompt,
  type Personality,
  personalityCategories,
  personalityTraits,
  type PromptDraft,
  type PromptFields,
  type PromptLibrary,
  type PromptService,
  type PromptText,
  type SystemPrompt,
} from "../contract/prompts.ts";
export type { CompletionReason, NewRun, Scope, ToolStatus } from "../contract/run.ts";
export type { IterationRecord, ToolExecution } from "../contract/run-outcome.ts";
export type { LocalServer, ProviderChange } from "../contract/provider-change.ts";
export type { SavedProvider } from "../contract/services.ts";
export type { IndexedText, TextIndex, TextMatch, TextQuery, TextTerm } from "../contract/text-index.ts";
export type { Topic, TopicAccess, TopicService } from "../contract/topics.ts";
export type {
  ExportedFile,
  ExportFormat,
  ImportResult,
  ImportOptions,
  TransferService,
} from "../contract/transfer.ts";
export type {
  CallPreview,
  Preview,
  PreviewedCommand,
  PreviewedFile,
  PreviewedState,
} from "../contract/preview.ts";
export { previewHead } from "../wire/preview-head.ts";
export { costOf, costUsd, sumOfCost } from "../wire/run-cost.ts";
export type { RunStep, RunStepKind } from "../contract/run-steps.ts";
export type { UsageFigures, UsageQuery, UsageReport } from "../contract/usage.ts";
export { conversationIdOfAlias, isUuid } from "../util/ids.ts";
export { pick } from "../util/pick.ts";
export type { Fault } from "../util/schema.ts";
export type { ActiveRun, NamedCall, RunStart, RunStepLog } from "./active-run.ts";
export type { TapEffect, TapWatch, WatchedHooks } from "./watched-hooks.ts";
export type { ArchiveDraft, ArchiveKeeper } from "./archive-keeper.ts";
export { BlockPlace } from "./block-place.ts";
export { blockLine } from "./block-line.ts";
export { builtInId, builtInPersonalityIds, builtInPromptIds } from "./built-in-ids.ts";
export { personalityText } from "./personality-text.ts";
export type {
  Cassette,
  RecordedAnswer,
  RecordedExecution,
  RecordedFamily,
  RecordedMessage,
  RecordedStep,
  RecordedToolCall,
} from "../contract/cassette.ts";
export { callExecution, callMessage } from "./call-records.ts";
export { canonicalJson } from "./canonical-json.ts";
export { canonicalKeys } from "./canonical-keys.ts";
export { appendAudit } from "./append-audit.ts";
export {
  auditCheck,
  auditFiles,
  auditFolder,
  auditHash,
  type AuditHead,
  auditHeadFile,
  currentAuditFile,
  firstSeqOf,
  readAuditHead,
  readAuditLine,
} from "./audit-files.ts";
export type { AccessKeeper, AuditFact, LimitState, Refusal } from "./access-keeper.ts";
export type { CallRecorder, ChangeKeeper, RecordedCall, Rehearsal, RehearsedEnd } from "./change-keeper.ts";
export { checkPlain } from "./check-plain.ts";
export { claimFile } from "./claim-file.ts";
export { defaultPrompt, untilDonePrompt } from "./default-prompt.ts";
export { detachAll } from "./detach-all.ts";
export { freeAbandoned } from "./free-abandoned.ts";
export type {
  DoorOptions,
  Doors,
  ProgramReach,
  Reach,
  Relay,
  RelayedAnswer,
  RestoredFile,
  RestoringFiles,
  StagedContent,
  StreamFetch,
} from "./door.ts";
export type { DownloadKeeper } from "./download-keeper.ts";
export type { EventKeeper } from "./event-keeper.ts";
export type { SearchKeeper } from "./search-keeper.ts";
export type { EmbeddingSummary, TelemetryKeeper, TracedCall, TracedRun } from "./telemetry-keeper.ts";
export { type PlacedBlock, SentBlocks } from "./sent-blocks.ts";
export { GrowingText } from "./growing-text.ts";
export { StreamAccumulator } from "./stream-accumulator.ts";
export {
  type DigestOf,
  digestOfEntry,
  type FolderInstructions,
  importsOf,
  instructionsIn,
  readOrdinary,
  sha256,
  skillDigests,
  skillFolders,
} from "./folder-instructions.ts";
export type { FolderKeeper } from "./folder-keeper.ts";
export type { Branch, BranchSummary } from "../contract/conversation.ts";
export { MessageTree } from "./message-tree.ts";
export { messageText } from "./message-text.ts";
export { placeOf } from "./place-of.ts";
export type { IsolatedPlugin, Isolation, PluginStrike } from "./isolation.ts";
export { keyTopics } from "./key-topics.ts";
export type {
  ApprovalDraft,
  ApprovalKeeper,
  CallEnd,
  ConversationKeeper,
  LeftBranch,
  ModelKeeper,
  ResultKeeper,
  ToolKeeper,
  ToolSession,
} from "./keepers.ts";
export type { Errand, RunKeeper } from "./run-keeper.ts";
export { describedLists, describePlugin, type Described, type PluginDescription } from "./describe-plugin.ts";
export { importFile } from "./import-file.ts";
export { exportFaults, loadPlugin } from "./load-plugin.ts";
export { loadToolFile } from "./load-tool-file.ts";
export type { CompleteManifest, Manifest, Permissions } from "./manifest.ts";
export type { ImportedMemory, MemoryKeeper } from "./memory-keeper.ts";
export type { CheckedOutput, OutputForm, OutputKeeper } from "./output-keeper.ts";
export { type NamedRecord, NamedRecords } from "./named-records.ts";
export { outcomeUnknown } from "./outcome-unknown.ts";
export {
  type RequiredParts,
  type HostParts,
  type OptionalParts,
  optionalParts,
  type PartFactories,
  type PartLife,
  type Parts,
  type RegisteredTool,
} from "./parts.ts";
export type {
  PreferenceChange,
  PreferenceFault,
  PreferenceHost,
  ParsedPreferences,
  PreferenceTable,
} from "./preference-host.ts";
export { describeDifference, providesOf } from "./provides.ts";
export { readAs } from "./read-as.ts";
export {
  openStores,
  type ResultRecord,
  type StoredApproval,
  type StoredEvent,
  type StoredEvents,
  type StoredPieces,
  type StoredRun,
  type StoredStep,
  type StoredSteps,
  type Stores,
} from "./records.ts";
export { type RedactionLevel, redactText, StreamRedactor, unfinishedAt } from "./redaction.ts";
export { Redactor } from "./redactor.ts";
export type {
  Sandbox,
  SandboxedCommand,
  SandboxHost,
  SandboxLimits,
  SandboxMount,
  SandboxNetwork,
  SandboxPlan,
  SandboxState,
} from "./sandbox.ts";
export { OwnName } from "./own-name.ts";
export { fencedCollection } from "./fenced-collection.ts";
export { isFenced } from "./is-fenced.ts";
export { retryAfterOf } from "../util/retry-after.ts";
export { retryConflicts } from "./retry-conflicts.ts";
export { holdsSecret, schemaFaults } from "./schema-faults.ts";
export type { SecretHost, SecretKeeper, SecretPlace } from "./secret-keeper.ts";
export { configurationFolder, type Environment, type Surroundings, upward } from "./surroundings.ts";
export { stopText, TextFilter, type TextPiece } from "./text-filter.ts";
export type { TopicKeeper } from "./topic-keeper.ts";
export {
  trustedDigests,
  trustedFolders,
  trustedSettings,
  type TrustedFiles,
  withdrawTrust,
  writeTrusted,
} from "./trusted-list.ts";
export { variableOf } from "./variable-of.ts";
export { visibleJson, visibleText } from "../util/visible-text.ts";
export { withDeadline } from "./with-deadline.ts";
export { logOf, withFields } from "./with-fields.ts";
export { defineHostPlugin, type HostPlugin, type ProgramHost } from "./host-plugin.ts";
export type { AppErrorDetails } from "../contract/errors.ts";
export type { Embedded } from "../contract/services.ts";
export { flag, text, textOrNull } from "../wire/wire-summary.ts";
export { accessEnded } from "../wire/access-ended.ts";
export { cutByStop } from "../wire/follow-run.ts";
export { mapTexts } from "./map-texts.ts";
export type { StandIns } from "./stand-ins.ts";

import { defined, type ApprovalRecord, type JsonObject } from "@pergola/sdk";
import { visibleJson, visibleText, type Preview } from "@pergola/sdk/host";

/** A question as it leaves the service: nothing of what a person reads before a yes moves, turns or hides. */
export const visibleRecord = (record: ApprovalRecord): ApprovalRecord => ({
  ...record,
  arguments: visibleJson(record.arguments),
  paths: record.paths.map(visibleText),
  options: record.options.map(visibleText),
  reason: visibleText(record.reason),
  prompt: visibleText(record.prompt),
  context: record.context && visibleText(record.context),
  ...defined({ preview: visiblePreview(record.preview) }),
});

const visiblePreview = (preview: ApprovalRecord["preview"]): ApprovalRecord["preview"] =>
  preview && (visibleJson(preview as unknown as JsonObject) as unknown as Preview);

import { defined, type ApprovalRecord } from "@pergola/sdk";
import { previewHead, type StoredApproval } from "@pergola/sdk/host";
import { visibleRecord } from "./visible-record.ts";

export const publicApproval = ({
  digest: _digest,
  sequence: _sequence,
  byHand: _byHand,
  version: _version,
  ...record
}: StoredApproval & { readonly version?: number }): ApprovalRecord => visibleRecord(record);

/** The same without the hunks of its preview, which may be long. */
export const headOf = (approval: StoredApproval): ApprovalRecord =>
  publicApproval(defined({ ...approval, preview: previewHead(approval.preview) }));

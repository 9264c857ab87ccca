import { createHash, randomBytes, randomUUID } from "node:crypto";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * RFC 9562, appendix A: the namespace for names that are URLs' hosts; conversation aliases are hashed in it.
 */
const namespace = Buffer.from("6ba7b8119dad11d180b400c04fd430c8", "hex");

const alphanumeric = (length: number): string =>
  Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join("");
const hex = (bytes: number): string => randomBytes(bytes).toString("hex");

/** Ids as they stand on the wire. */
export const newId = {
  run: () => `run_${hex(16)}`,
  approval: () => `apr_${hex(16)}`,
  grant: () => `grt_${hex(16)}`,
  change: () => `chg_${hex(16)}`,
  revert: () => `rev_${hex(16)}`,
  schedule: () => `sch_${hex(16)}`,
  result: () => `res_${hex(16)}`,
  toolCall: () => `call_${alphanumeric(24)}`,
  completion: () => `chatcmpl-${alphanumeric(24)}`,
  uuid: () => randomUUID() as string,
} as const;

/** Whether a text has the form of a UUID. */
export const isUuid = (text: string): boolean => uuid.test(text);

/**
 * UUID version 5 (RFC 9562 section 5.5) of `conversation:<alias>`: the same alias is always the same
 * conversation.
 */
export function conversationIdOfAlias(alias: string): string {
  const hash = createHash("sha1").update(namespace).update(`conversation:${alias}`).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

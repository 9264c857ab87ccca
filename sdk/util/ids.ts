import { createHash, randomBytes, randomUUID } from "node:crypto";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * RFC 9562, appendix A: the namespace for names that are URLs' hosts; conversation aliases are hashed in it.
 */
const namespace = Buffer.from("6ba7b8119dad11d180b400c04fd430c8", "hex");

const alphanumeric = (length: number): string =>
  Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join("");

/** Microseconds since 1970; never twice the same here. */
let lastMicroseconds = 0;

/**
 * A UUID of the form of version 4 (RFC 9562) whose first 32 bits are the microseconds of the clock, which
 * come round every 71 minutes; the other 90 are chance. What is made at about the same time lies together in
 * an index, so that a commit writes few of its pages; the first eight characters alone still tell ids apart.
 */
function orderedUuid(): string {
  const now = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  lastMicroseconds = Math.max(lastMicroseconds + 1, now);
  return (lastMicroseconds % 2 ** 32).toString(16).padStart(8, "0") + randomUUID().slice(8);
}

const orderedHex = (): string => orderedUuid().replaceAll("-", "");

/** Ids as they stand on the wire. */
export const newId = {
  run: () => `run_${orderedHex()}`,
  approval: () => `apr_${orderedHex()}`,
  grant: () => `grt_${orderedHex()}`,
  change: () => `chg_${orderedHex()}`,
  revert: () => `rev_${orderedHex()}`,
  schedule: () => `sch_${orderedHex()}`,
  result: () => `res_${orderedHex()}`,
  toolCall: () => `call_${alphanumeric(24)}`,
  completion: () => `chatcmpl-${alphanumeric(24)}`,
  uuid: orderedUuid,
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

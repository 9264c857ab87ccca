import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256 in hexadecimal digits: texts of 122 random bits and more need no slow hash. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Compares two hashes in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

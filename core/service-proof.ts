import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { realpathSync, statSync } from "node:fs";

/** What one start of a service is known by; only its user can read the secret, in the service note. */
export interface ServiceIdentity {
  readonly instance: string;
  readonly secret: string;
}

export const makeIdentity = (): ServiceIdentity => ({
  instance: randomUUID(),
  secret: randomBytes(32).toString("base64url"),
});

export const makeChallenge = (): string => randomBytes(32).toString("base64url");

export interface ProofSubject {
  readonly challenge: string;
  readonly dataDirectory: string;
  /** `127.0.0.1:8080`, where the request arrives: another program cannot pass the question on. */
  readonly address: string;
}

/** Shows that whoever answers knows the secret: HMAC-SHA256 over the parts, each with its length. */
export function proofOf(
  { instance, secret }: ServiceIdentity,
  { challenge, dataDirectory, address }: ProofSubject,
): string {
  const real = realpathSync(dataDirectory);
  const { dev, ino } = statSync(real);
  const parts = ["pergola service 1", challenge, instance, `${real} ${dev} ${ino}`, address];
  return digestOf(secret, parts);
}

/**
 * What the command line shows of itself to a service that has proved itself: whoever can read the service
 * note is its owner. Valid for this start.
 */
export const ownerProofOf = ({ instance, secret }: ServiceIdentity): string =>
  digestOf(secret, ["pergola owner 1", instance]);

function digestOf(secret: string, parts: readonly string[]): string {
  const hmac = createHmac("sha256", secret);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`);
  return hmac.digest("base64url");
}

/** Compares two proofs in constant time. */
export function isSameProof(proof: string, expected: string): boolean {
  const [one, other] = [Buffer.from(proof), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

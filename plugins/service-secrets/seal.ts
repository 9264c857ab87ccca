import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** A secret that only the key opens, in base64. */
export interface Sealed {
  readonly nonce: string;
  readonly text: string;
  readonly tag: string;
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const bytesOf = (text: string): Buffer => Buffer.from(text, "base64");

/** Encrypts a secret. The name is bound to it: under another name it does not open. */
export function seal(name: string, value: string, key: Uint8Array): Sealed {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(name));
  const text = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  const base64 = (bytes: Buffer): string => bytes.toString("base64");
  return { nonce: base64(nonce), text: base64(text), tag: base64(cipher.getAuthTag()) };
}

/** Throws for what was changed, stands under another name, or was sealed with another key. */
export function unseal(name: string, { nonce, text, tag }: Sealed, key: Uint8Array): string {
  const decipher = createDecipheriv(algorithm, key, bytesOf(nonce), { authTagLength: 16 })
    .setAAD(Buffer.from(name))
    .setAuthTag(bytesOf(tag));
  return Buffer.concat([decipher.update(bytesOf(text)), decipher.final()]).toString("utf8");
}

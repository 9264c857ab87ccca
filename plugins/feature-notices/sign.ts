import { createHmac } from "node:crypto";

/**
 * The headers of a signed event, by the specification of Standard Webhooks (standardwebhooks.com, version 1):
 * HMAC-SHA256 of `id.timestamp.body`. `seconds`: since 1970.
 */
export function signedHeaders(
  secret: string,
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${signature}`,
  };
}

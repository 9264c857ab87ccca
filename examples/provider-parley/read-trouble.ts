import type { ToldFailure } from "@pergola/sdk";

interface Trouble {
  readonly trouble?: unknown;
  readonly status?: unknown;
}

/** What a refusal says: `{"trouble": "…", "status": 429}`, or any text. */
export function readTrouble(body: unknown): ToldFailure {
  if (typeof body === "string") return body.startsWith("{") ? readTrouble(JSON.parse(body)) : { message: body };
  const { trouble, status } = (body ?? {}) as Trouble;
  return { message: typeof trouble === "string" ? trouble : "", ...(typeof status === "number" ? { status } : {}) };
}

export interface SentMessage {
  readonly role: string;
  readonly content: unknown;
}

export interface Answer {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter: number;
  readonly body: unknown;
}

/** Undefined where no answer came within so many milliseconds. */
export async function send(
  url: string,
  body?: object,
  headers: Record<string, string> = {},
  patience = 15_000,
): Promise<Answer | undefined> {
  try {
    const answer = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patience),
    });
    const retryAfter = Number(answer.headers.get("retry-after"));
    return { status: answer.status, retryAfter, body: await answer.json() };
  } catch {
    return undefined;
  }
}

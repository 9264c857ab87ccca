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

/** Undefined where no answer came. */
export async function send(
  url: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer | undefined> {
  try {
    const answer = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
    const retryAfter = Number(answer.headers.get("retry-after"));
    return { status: answer.status, retryAfter, body: await answer.json() };
  } catch {
    return undefined;
  }
}

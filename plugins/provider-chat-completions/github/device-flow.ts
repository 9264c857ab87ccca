import { setTimeout } from "node:timers/promises";
import type { Clock } from "@pergola/sdk";

/** What a login begins with (RFC 8628 section 3.2). */
export interface DeviceCode {
  /** Known to the program only. */
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** Seconds between two questions. */
  readonly interval: number;
}

type Fields = Readonly<Record<string, unknown>>;

const positive = (value: unknown, otherwise: number): number =>
  typeof value === "number" && value > 0 ? value : otherwise;

/** undefined for an answer that is none. */
export function readDeviceCode(answer: Fields): DeviceCode | undefined {
  const { device_code: deviceCode, user_code: userCode, verification_uri: verificationUri } = answer;
  if (typeof deviceCode !== "string" || typeof userCode !== "string" || typeof verificationUri !== "string")
    return undefined;
  return {
    deviceCode,
    userCode,
    verificationUri,
    expiresIn: Math.round(positive(answer["expires_in"], 900)),
    interval: positive(answer["interval"], 5),
  };
}

export type LoginEnd = { readonly token: string } | { readonly refusal: string };

/** What ends a login without a token, in words for the person. */
const expired = "was not let in: nobody entered the code in time";
const refusals: ReadonlyMap<unknown, string> = new Map([
  ["access_denied", "was not let in: the login was refused"],
  ["expired_token", expired],
]);

/**
 * Asks until the person has entered the code, refused, or let it expire (RFC 8628 section 3.5): as often as
 * the server allows, more slowly when it says so, and on through failures of the connection. `ask` gives the
 * server's answer, undefined where there is none. Rejects with the signal's reason.
 */
export async function awaitLogin(
  { expiresIn, interval: first }: DeviceCode,
  ask: () => Promise<Fields | undefined>,
  clock: Clock,
  signal: AbortSignal,
): Promise<LoginEnd> {
  const until = clock.now() + expiresIn * 1000;
  for (let interval = first; clock.now() < until;) {
    await setTimeout(interval * 1000, undefined, { signal, ref: false });
    const {
      access_token: token,
      error,
      interval: told,
      error_description: words,
    } = (await ask()) ?? { error: "authorization_pending" };
    signal.throwIfAborted();
    if (typeof token === "string" && token !== "") return { token };
    if (error === "slow_down") interval = positive(told, interval + 5);
    else if (error !== "authorization_pending")
      return { refusal: refusals.get(error) ?? `was not let in: ${String(words ?? error)}` };
  }
  return { refusal: expired };
}

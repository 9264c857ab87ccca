import { setTimeout } from "node:timers/promises";
import { stringOf, type Clock } from "@pergola/sdk";
import type { Fields } from "@pergola/kit-provider";

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

const positive = (value: unknown, fallback: number): number =>
  typeof value === "number" && value > 0 ? value : fallback;

/** Reads the answer that begins a login; undefined for anything else. */
export function readDeviceCode(answer: Fields): DeviceCode | undefined {
  const deviceCode = stringOf(answer["device_code"]);
  const userCode = stringOf(answer["user_code"]);
  const verificationUri = stringOf(answer["verification_uri"]);
  if (deviceCode === "" || userCode === "" || verificationUri === "") return undefined;
  return {
    deviceCode,
    userCode,
    verificationUri,
    expiresIn: Math.round(positive(answer["expires_in"], 900)),
    interval: positive(answer["interval"], 5),
  };
}

/** How a login ended: with a token, or with the reason why there is none, in words for the person. */
export type LoginEnd =
  | { readonly token: string; readonly refusal?: undefined }
  | { readonly refusal: string; readonly token?: undefined };

const expired = "was not let in: nobody entered the code in time";
const refusals: ReadonlyMap<unknown, string> = new Map([
  ["access_denied", "was not let in: the login was refused"],
  ["expired_token", expired],
]);

const pending: Fields = { error: "authorization_pending" };

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
  const end = clock.now() + expiresIn * 1000;
  for (let interval = first; clock.now() < end;) {
    await setTimeout(interval * 1000, undefined, { signal, ref: false });
    const { access_token, error, interval: slower, error_description } = (await ask()) ?? pending;
    signal.throwIfAborted();
    const token = stringOf(access_token);
    if (token !== "") return { token };
    if (error === "slow_down") interval = positive(slower, interval + 5);
    else if (error !== "authorization_pending")
      return { refusal: refusals.get(error) ?? `was not let in: ${String(error_description ?? error)}` };
  }
  return { refusal: expired };
}

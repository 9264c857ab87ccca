import type { ProviderFetch, ProviderSettings } from "@pergola/sdk";
import { providerDoor, providerSettings } from "@pergola/sdk/testing";
import { ProviderApi, readChatFailure, type ApiOptions } from "../index.ts";

export interface SentRequest {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

async function* bytesOf(body: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body);
}

/** An API whose requests are recorded, and answered with these bodies one after the other. */
export function openApi(
  settings: Partial<ProviderSettings> = {},
  options: Partial<ApiOptions> = {},
  bodies: readonly string[] = [],
  status = 200,
): { readonly api: ProviderApi; readonly sent: readonly SentRequest[] } {
  const sent: SentRequest[] = [];
  const fetch: ProviderFetch = async (url, { method, headers = {} }) => {
    const body = bodies[sent.length] ?? "{}";
    sent.push({ url, method, headers });
    return { status, header: () => undefined, body: bytesOf(body), text: async () => body };
  };
  const api = new ProviderApi(
    providerSettings({ name: "Vendor", baseUrl: "https://vendor.test/v1", ...settings }),
    providerDoor({ fetch }),
    { read: readChatFailure, exampleUrl: "https://vendor.test", keyHeader: "authorization", ...options },
  );
  return { api, sent };
}

export const never = (): AbortSignal => new AbortController().signal;

/** What the promise rejects with. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

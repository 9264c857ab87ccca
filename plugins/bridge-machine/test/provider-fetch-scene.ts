import type { RequestListener } from "node:http";
import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import { createProviderFetch, type ProviderFetchOptions } from "../provider-fetch.ts";
import { serve, stopServers } from "./servers.ts";

/** The failure that work ends with. */
export const failureOf = async (work: Promise<unknown>): Promise<AppError> => {
  const caught = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(AppError.is(caught)).to.equal(true);
  return caught as AppError;
};

/** The whole text of a body. */
export const drain = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = "";
  for await (const piece of body) text += Buffer.from(piece).toString();
  return text;
};

const opened: { close(): Promise<void> }[] = [];

/** What a provider fetches with. */
export const open = (options: Partial<ProviderFetchOptions>) => {
  const fetch = createProviderFetch({
    baseUrl: "http://127.0.0.1:1/v1",
    timeoutSeconds: 5,
    idleTimeoutSeconds: 5,
    ...options,
  });
  opened.push(fetch);
  return fetch;
};

/** The same, of a provider with this listener. */
export const start = async (listener: RequestListener, options: Partial<ProviderFetchOptions> = {}) => {
  const server = await serve(listener);
  const base = `http://127.0.0.1:${server.port}`;
  return { ...server, base, fetch: open({ baseUrl: `${base}/v1`, ...options }) };
};

/** Closes what was opened and started. */
export const closeAll = async (): Promise<void> => {
  for (const fetch of opened.splice(0)) await fetch.close();
  await stopServers();
};

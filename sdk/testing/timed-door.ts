import { AppError, type ProviderFetch, type ProviderResponse } from "@pergola/sdk";

let limit: number | undefined;

/** While it goes on, the doors of all providers under test give up on a source that is silent for so long. */
export async function whileTimed<T>(milliseconds: number, act: () => Promise<T>): Promise<T> {
  limit = milliseconds;
  try {
    return await act();
  } finally {
    limit = undefined;
  }
}

/** The same as a host's, with its limit on silence, while doors are timed. */
export const timed =
  (fetch: ProviderFetch): ProviderFetch =>
  async (url, init) => {
    if (limit === undefined) return fetch(url, init);
    const seconds = limit / 1000;
    const late = new AbortController();
    const message = `The provider sent nothing for ${seconds} s.`;
    const timer = setTimeout(() => late.abort(new AppError({ code: "provider_timeout", message })), limit);
    const signals = [late.signal, ...(init.signal === undefined ? [] : [init.signal])];
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
      const body = timedBody(response, timer, late.signal);
      return { ...response, body };
    } catch (error) {
      clearTimeout(timer);
      throw error;
    }
  };

/** The reason of the limit takes the place of what the torn connection says. */
async function* timedBody(
  { body }: ProviderResponse,
  timer: NodeJS.Timeout,
  late: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body) {
      timer.refresh();
      yield piece;
    }
  } catch (error) {
    late.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

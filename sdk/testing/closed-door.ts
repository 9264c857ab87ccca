import { AppError, type ProviderFetch } from "@pergola/sdk";

let isClosed = false;

/** While it goes on, the doors of all providers under test refuse their requests. */
export async function whileClosed<T>(act: () => Promise<T>): Promise<T> {
  isClosed = true;
  try {
    return await act();
  } finally {
    isClosed = false;
  }
}

/** The same with what a host says of an address that is not the provider's own, while doors are closed. */
export const refusable =
  (fetch: ProviderFetch): ProviderFetch =>
  async (url, init) => {
    if (!isClosed) return fetch(url, init);
    const message = "The address is not the provider's own; its key stays here.";
    throw new AppError({ code: "provider_error", message, details: { retryable: false } });
  };

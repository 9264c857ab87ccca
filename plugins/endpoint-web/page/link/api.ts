import { signal } from "@preact/signals";

/** An answer that is no success, in the service's own words. */
export class ApiError extends Error {
  status = 0;
  code = "unknown";
  /** By which the service's log names it. */
  requestId = "";
  /** In seconds; 0 where nothing is said of it. */
  retryAfter = 0;
}

type Request = Pick<RequestInit, "method" | "signal"> & Readonly<{ body?: unknown; token?: string }>;

const keyName = "pergola.key";

/** Half of what lets this page in; the cookie is the other half. */
export const pageKey = (): string | null => localStorage.getItem(keyName);

export const needsSignIn = signal(false);

const headersFor = ({ body, token }: Request): Record<string, string> => ({
  ...(pageKey() !== null && { "X-CSRF-Token": pageKey() ?? "" }),
  ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  ...(body !== undefined && { "Content-Type": "application/json" }),
});

/** The answer, where it is a success; else throws what it says. */
async function successful(response: Response): Promise<Response> {
  const { ok, status, headers } = response;
  if (ok) return response;
  if (status === 401) needsSignIn.value = true;
  const body = (await response.json().catch(() => ({}))) as { error?: { message?: string; code?: string } };
  const { message = `The service answered ${status}.`, code = "unknown" } = body.error ?? {};
  const [retryAfter, requestId] = [Number(headers.get("Retry-After")), headers.get("X-Request-Id") ?? ""];
  throw Object.assign(new ApiError(message), { status, code, retryAfter, requestId });
}

/** Asks the service. Throws ApiError for a refusal, TypeError where nothing answers. */
export async function send(path: string, request: Request = {}): Promise<Response> {
  if (!/^\/(?!\/)/.test(path)) throw new Error("A path begins with one slash.");
  const body = JSON.stringify(request.body) ?? null;
  return successful(await fetch(path, { ...request, headers: headersFor(request), body, redirect: "error" }));
}

/** Puts a file there, and tells how much of it has left, from 0 to 1, as `fetch` cannot. Throws as `send`. */
export async function sendFile(path: string, file: Blob, note: (share: number) => void, stop: AbortSignal) {
  stop.throwIfAborted();
  const request = new XMLHttpRequest();
  request.open("PUT", path);
  for (const [name, value] of Object.entries(headersFor({}))) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => note(loaded / total);
  stop.addEventListener("abort", () => request.abort());
  const end = new Promise((resolve) => (request.onloadend = resolve));
  request.send(file);
  await end;
  const { status, responseText } = request;
  if (status === 0) throw new TypeError("Nothing answers.");
  await successful(new Response(responseText, { status }));
}

export async function call<T = unknown>(path: string, method = "GET", body?: unknown): Promise<T> {
  return (await (await send(path, { method, body })).json()) as T;
}

export const callIfThere = <T>(path: string): Promise<T | undefined> =>
  call<T>(path).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });

/** Has the browser save what a route answers, as a file of this name. */
export async function download(path: string, name: string): Promise<void> {
  const href = URL.createObjectURL(await (await send(path)).blob());
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}

export function pathOf(parts: readonly string[], query: Readonly<Record<string, unknown>> = {}): string {
  const found = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(found.map(([name, value]) => [name, String(value)])).toString();
  return `/${parts.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.retryAfter > 0)
    return `${error.message} Try again in ${error.retryAfter} s.`;
  if (error instanceof TypeError) return "The service cannot be reached.";
  return error instanceof Error ? error.message : String(error);
}

/** What names a failure to those who look into it: its code, and the request's id. */
export const referenceOf = (error: unknown): string =>
  error instanceof ApiError ? `${error.code} · request ${error.requestId}` : "";

/** Takes a token, or a one-time code as the body, for half of what lets this page in. */
export async function signIn(request: Request): Promise<void> {
  const answer = await send("/api/session", { method: "POST", ...request });
  const { key } = (await answer.json()) as { readonly key: string };
  localStorage.setItem(keyName, key);
  needsSignIn.value = false;
}

/** Takes a one-time code out of the address, at once, and signs in with it. */
export async function takeCode(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return;
  history.replaceState(null, "", "#/");
  await signIn({ body: { code } }).catch(() => (needsSignIn.value = true));
}

export async function signOut(): Promise<void> {
  await call("/api/session", "DELETE").catch(() => undefined);
  localStorage.removeItem(keyName);
  needsSignIn.value = true;
}

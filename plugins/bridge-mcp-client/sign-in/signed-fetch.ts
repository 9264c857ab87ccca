import type { FetchLike } from "@modelcontextprotocol/client";
import type { Challenge } from "./session-store.ts";
import type { SignIn } from "./sign-in.ts";

async function challengeIn(response: Response): Promise<Challenge & { readonly error: string | undefined }> {
  const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  return { metadataUrl: resourceMetadataUrl?.href, scope, error };
}

function withToken(init: RequestInit, token: string | undefined): RequestInit {
  if (token === undefined) return init;
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${token}`);
  return { ...init, headers };
}

/**
 * Sends the token of the person's sign-in with each request, renews one that is not taken any more, and
 * rejects with ToolError `unavailable` where the person has to sign in.
 */
export const signedFetch =
  (fetch: FetchLike, signIn: SignIn): FetchLike =>
  async (url, init = {}) => {
    const token = await signIn.token();
    let response = await fetch(url, withToken(init, token));
    if (response.status === 401 && token !== undefined && (await signIn.renew())) {
      await response.body?.cancel();
      response = await fetch(url, withToken(init, await signIn.token()));
    }
    const { status } = response;
    if (status !== 401 && status !== 403) {
      signIn.accepted();
      return response;
    }
    const challenge = await challengeIn(response);
    if (status === 403 && challenge.error !== "insufficient_scope") return response;
    await response.body?.cancel();
    throw signIn.refused({ ...challenge, isWider: status === 403 });
  };

import { call, needsSignIn, pageKey } from "./api.ts";

type SignedIn = { readonly key: string };

async function keep(answer: Promise<SignedIn>): Promise<void> {
  const { key } = await answer;
  pageKey.set(key);
  needsSignIn.value = false;
}

const signInWith = (body: object, token?: string): Promise<SignedIn> =>
  call<SignedIn>("/api/session", { method: "POST", body, ...(token === undefined ? {} : { token }) });

export const signInByToken = (token: string): Promise<void> => keep(signInWith({}, token));

/** Takes a one-time code out of the address, at once, and signs in with it. */
export async function takeCode(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return;
  history.replaceState(null, "", "#/");
  await keep(signInWith({ code })).catch(() => {
    needsSignIn.value = true;
  });
}

export async function signOut(): Promise<void> {
  await call("/api/session", { method: "DELETE" }).catch(() => undefined);
  pageKey.remove();
  needsSignIn.value = true;
}

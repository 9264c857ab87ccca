import { call, needsSignIn, pageKey } from "./api.ts";

async function signIn(request: Parameters<typeof call>[1]): Promise<void> {
  const { key } = await call<{ readonly key: string }>("/api/session", { method: "POST", ...request });
  pageKey.set(key);
  needsSignIn.value = false;
}

export const signInByToken = (token: string): Promise<void> => signIn({ body: {}, token });

/** Takes a one-time code out of the address, at once, and signs in with it. */
export async function takeCode(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return;
  history.replaceState(null, "", "#/");
  await signIn({ body: { code } }).catch(() => {
    needsSignIn.value = true;
  });
}

export async function signOut(): Promise<void> {
  await call("/api/session", { method: "DELETE" }).catch(() => undefined);
  pageKey.remove();
  needsSignIn.value = true;
}

import type { EndpointAnswer } from "@pergola/sdk";
import type { Asset, Encoding } from "./assets.ts";

type Headers = Readonly<Record<string, string | undefined>>;

const isolated = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  Vary: "Origin, Accept-Encoding",
};

/** The smallest form that the client takes. */
function encodingFor(asset: Asset, { "accept-encoding": accepted = "" }: Headers): Encoding {
  const names = accepted.split(",").filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one));
  const takes = (name: Encoding) => names.some((one) => one.split(";")[0]?.trim() === name);
  return (["br", "gzip"] as const).find((name) => takes(name) && asset.has(name)) ?? "identity";
}

function answer(asset: Asset, request: Headers, caching: Readonly<Record<string, string>>) {
  const encoding = encodingFor(asset, request);
  const encoded: Readonly<Record<string, string>> =
    encoding === "identity" ? {} : { "Content-Encoding": encoding };
  const headers = { ...isolated, ...caching, ...encoded };
  return { bytes: asset.read(encoding), contentType: asset.contentType, headers };
}

/** The page is asked for anew each time, and sent only when it has changed. */
export function answerPage(asset: Asset, request: Headers): EndpointAnswer {
  const caching = { "Cache-Control": "no-cache", ETag: asset.etag };
  const known = request["if-none-match"]?.split(",").map((one) => one.trim()) ?? [];
  if (known.includes(asset.etag)) return { isEmpty: true, status: 304, headers: { ...isolated, ...caching } };
  return answer(asset, request, caching);
}

/** Which of two answers it is depends on what the client accepts. */
export const byAccept = <A extends EndpointAnswer>(answer: A): A => ({
  ...answer,
  headers: { ...answer.headers, Vary: "Origin, Accept, Accept-Encoding" },
});

/** Another's answer in place of the page, which is as much by itself. */
export const isolate = <A extends EndpointAnswer>(answer: A): A => ({
  ...answer,
  headers: { ...isolated, ...answer.headers },
});

/** A file with a hash in its name never changes. */
export const answerFile = (asset: Asset, request: Headers): EndpointAnswer =>
  answer(asset, request, { "Cache-Control": "public, max-age=31536000, immutable" });

/** In place of a page that there is not. */
export const answerMissing = (asset: Asset, request: Headers): EndpointAnswer => ({
  ...answer(asset, request, { "Cache-Control": "no-cache" }),
  status: 404,
});

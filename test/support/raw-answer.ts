import { request, type IncomingHttpHeaders } from "node:http";

/** An answer as it comes, not decompressed. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Asks without what `fetch` does by itself: it neither decompresses nor tidies the path. */
export function askRaw(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<RawAnswer> {
  const { origin } = new URL(url);
  return new Promise((resolve, reject) => {
    const path = url.slice(origin.length) || "/";
    const sent = request(origin, { path, headers, method }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces),
        }),
      );
    });
    sent.on("error", reject).end();
  });
}

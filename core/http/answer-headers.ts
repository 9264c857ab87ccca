import type { ServerResponse } from "node:http";

const always = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'",
  Vary: "Origin",
};

/** Pages load what the service itself serves, run no script that stands in them, and lie in no frame. */
const ofPages = {
  "Content-Security-Policy": [
    "default-src 'none'",
    ...["script-src", "style-src", "connect-src"].map((name) => `${name} 'self'`),
    "img-src 'self' data: blob:",
    ...["base-uri", "form-action", "frame-ancestors"].map((name) => `${name} 'none'`),
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

const setAll = (response: ServerResponse, headers: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
};

/** What holds for every answer unless it says otherwise: nothing of it is kept, guessed or run. */
export const guardAnswer = (response: ServerResponse): void => setAll(response, always);

/** What holds besides for an answer that browsers show as a page. */
export function guardPage(response: ServerResponse, contentType: string): void {
  if (/^(text\/html|application\/xhtml\+xml)\b/i.test(contentType)) setAll(response, ofPages);
}

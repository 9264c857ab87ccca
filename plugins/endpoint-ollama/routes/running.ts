import { defineRoute } from "@pergola/sdk";

/** Where there is a page, its route hands on to this one the requests that are not a browser's. */
export const running = defineRoute({
  method: "GET",
  path: "/",
  yields: true,
  scope: "open",
  summary: "A line that Ollama is running",
  answers: { 200: { "text/plain": { type: "string" } } },
  failures: [],
  handle: () => ({
    text: "Ollama is running",
    contentType: "text/plain; charset=utf-8",
    headers: { "Cache-Control": "no-cache" },
  }),
});

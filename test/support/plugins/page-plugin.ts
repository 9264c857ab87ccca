import { writePlugin } from "./write-plugin.ts";

/** Writes a plugin that serves a page at `/`, and gives its folder. */
export const pagePlugin = (parent: string): string =>
  writePlugin(parent, {
    id: "endpoint-page",
    kind: "endpoint",
    provides: { endpoints: ["GET /"] },
    code: `
const page = {
  method: "GET", path: "/", scope: "open", page: true, summary: "The page",
  answers: { 200: { "text/html": { type: "string" } } },
  handle: () => ({ text: "<h1>Pergola</h1>", contentType: "text/html; charset=utf-8" }),
};
export default { endpoints: [{ group: "page", routes: [page] }] };`,
  });

/** The value of the setting `plugins` that adds it. */
export const withPage = (folder: string) => [
  "@pergola/bundle-standard",
  { use: folder, isolation: "trusted" },
];

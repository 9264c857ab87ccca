import { AppError, defineEndpoints, definePlugin, defineRoute } from "@pergola/sdk";
import { Assets } from "./assets.ts";
import { answerFile, answerPage } from "./answers.ts";

const assets = new Assets();

const text = { type: "string" } as const;
const fileTypes = { "text/javascript": text, "text/css": text, "image/svg+xml": text, "text/plain": text };

const page = defineRoute({
  method: "GET",
  path: "/",
  scope: "open",
  page: true,
  summary: "The page for browsers",
  answers: { 200: { "text/html": text }, 304: {} },
  failures: [],
  handle: ({ headers }) => answerPage(assets.get("index.html"), headers),
});

const files = defineRoute({
  method: "GET",
  path: "/web/{file…}",
  scope: "open",
  summary: "A file that the page loads; its name changes with its content",
  params: { file: { type: "string", description: "Name of the file" } },
  answers: { 200: fileTypes },
  failures: [],
  handle({ params: { file }, headers }) {
    if (assets.has(file) && file !== "index.html") return answerFile(assets.get(file), headers);
    throw new AppError({ code: "not_found", message: `The page has no file ${file}.` });
  },
});

export const web = defineEndpoints({ group: "web", routes: [page, files] });

export default definePlugin({ endpoints: [web] });

import { AppError, defineEndpoints, definePlugin, defineRoute, type Services } from "@pergola/sdk";
import { Assets } from "./assets.ts";
import { answerFile, answerMissing, answerPage, byAccept, isolate } from "./answers.ts";

const assets = new Assets("files");
const pages = new Assets("docs");

const text = { type: "string" } as const;
const fileTypes = { "text/javascript": text, "text/css": text, "image/svg+xml": text, "text/plain": text };

/** What answers here to programs, as clients of Ollama: the route that yields to the page, while it is on. */
const routeForPrograms = ({ system, preferences }: Services) =>
  system
    .routes()
    .filter(({ yields, path }) => yields === true && path === "/")
    .find(({ group }) => preferences.get(`endpoints.${group}.enabled`) !== false);

const page = defineRoute({
  method: "GET",
  path: "/",
  scope: "open",
  anonymous: true,
  page: true,
  summary: "The page for browsers; for clients of Ollama, a line that it is running",
  answers: { 200: { "text/html": text, "text/plain": text }, 304: {} },
  failures: [],
  async handle(request, services) {
    const { headers } = request;
    // A browser names the type of a page.
    const other = headers["accept"]?.includes("text/html") ? undefined : routeForPrograms(services);
    if (other !== undefined) return byAccept(isolate(await other.handle(request, services)));
    return byAccept(answerPage(assets.get("index.html"), headers));
  },
});

const files = defineRoute({
  method: "GET",
  path: "/web/{file…}",
  scope: "open",
  anonymous: true,
  summary: "A file that the page loads; its name changes with its content",
  params: { file: { type: "string", description: "Name of the file" } },
  answers: { 200: fileTypes },
  failures: [],
  handle({ params: { file }, headers }) {
    if (assets.has(file) && file !== "index.html") return answerFile(assets.get(file), headers);
    throw new AppError({ code: "not_found", message: `The page has no file ${file}.` });
  },
});

const docs = defineRoute({
  method: "GET",
  path: "/docs",
  scope: "open",
  anonymous: true,
  page: true,
  summary: "The documentation: its first page",
  answers: { 200: { "text/html": text }, 304: {} },
  failures: [],
  handle: ({ headers }) => answerPage(pages.get("index.html"), headers),
});

const docsFiles = defineRoute({
  method: "GET",
  path: "/docs/{file…}",
  scope: "open",
  anonymous: true,
  page: true,
  summary: "A page of the documentation, or a file that its pages load",
  params: { file: { type: "string", description: "`settings`, for example" } },
  answers: {
    200: { "text/html": text, "text/css": text, "image/svg+xml": text, "image/png": text },
    304: {},
    404: { "text/html": text },
  },
  failures: [],
  handle({ params: { file }, headers }) {
    if (file !== "404" && pages.has(`${file}.html`)) return answerPage(pages.get(`${file}.html`), headers);
    if (pages.has(file) && !file.endsWith(".html")) return answerFile(pages.get(file), headers);
    // A person reads it in a browser; a program wants an error as all others are.
    if (headers["accept"]?.includes("text/html")) return answerMissing(pages.get("404.html"), headers);
    throw new AppError({ code: "not_found", message: `The documentation has no page ${file}.` });
  },
});

export const web = defineEndpoints({ group: "web", routes: [page, files, docs, docsFiles] });

export default definePlugin({ endpoints: [web] });

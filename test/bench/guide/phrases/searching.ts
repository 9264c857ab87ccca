import { has, phrase, type Phrase } from "../phrase.ts";

const glob = (...queries: readonly string[]) => queries.map((query) => ({ query }));

/** file_search, grep_search, semantic_search and list_usages. */
export const searching: readonly Phrase[] = [
  phrase("find all markdown files", "file_search", ...glob("**/*.md", "*.md")),
  phrase(
    "where is the file called tsconfig.json?",
    "file_search",
    ...glob("**/tsconfig.json", "tsconfig.json"),
  ),
  phrase("search for *.test.ts", "file_search", ...glob("*.test.ts", "**/*.test.ts")),
  phrase(
    "locate every .png in assets",
    "file_search",
    { query: "**/*.png", directory: "assets" },
    { query: "*.png", directory: "assets" },
  ),
  phrase(
    "Which python files are there in scripts/?",
    "file_search",
    { query: "**/*.py", directory: "scripts/" },
    { query: "**/*.py", directory: "scripts" },
  ),
  phrase("find files matching src/**/*.css", "file_search", ...glob("src/**/*.css")),
  phrase(
    "is there a file named docker-compose.yml anywhere?",
    "file_search",
    ...glob("**/docker-compose.yml", "docker-compose.yml"),
  ),
  phrase("look for files whose name contains invoice", "file_search", ...glob("**/*invoice*", "*invoice*")),
  phrase(
    "list up to 20 yaml files",
    "file_search",
    { query: "**/*.yaml", maxResults: 20 },
    { query: "**/*.{yaml,yml}", maxResults: 20 },
    { query: "**/*.{yml,yaml}", maxResults: 20 },
  ),
  phrase(
    "I can't find my file budget.xlsx, where did it go?",
    "file_search",
    ...glob("**/budget.xlsx", "budget.xlsx"),
  ),
  phrase("give me the paths of all .env files", "file_search", ...glob("**/.env", "**/*.env", "*.env")),
  phrase("files starting with report_ please", "file_search", ...glob("**/report_*", "report_*")),
  phrase("fidn all json files under config", "file_search", { query: "**/*.json", directory: "config" }),
  phrase("any files ending in .bak?", "file_search", ...glob("**/*.bak", "*.bak")),
  phrase("Show me where helpers.js lives", "file_search", ...glob("**/helpers.js", "helpers.js")),
  phrase(
    "all the Dockerfiles in this repo",
    "file_search",
    ...glob("**/Dockerfile", "**/Dockerfile*", "**/*Dockerfile*"),
  ),

  phrase("search the code for TODO", "grep_search", { query: "TODO", isRegexp: false }),
  phrase('which files contain the text "connection refused"?', "grep_search", {
    query: "connection refused",
    isRegexp: false,
  }),
  phrase("grep for useState in src", "grep_search", { query: "useState", isRegexp: false, directory: "src" }),
  phrase("find every line that mentions API_KEY", "grep_search", { query: "API_KEY", isRegexp: false }),
  phrase(
    "Look for the regex /foo\\d+/ in the project",
    "grep_search",
    { query: "foo\\d+", isRegexp: true },
    { query: "foo\\d+", isRegexp: true, directory: "." },
  ),
  phrase("where does the string 'hello world' occur", "grep_search", {
    query: "hello world",
    isRegexp: false,
  }),
  phrase("search *.py for import os", "grep_search", {
    query: "import os",
    isRegexp: false,
    includePattern: "*.py",
  }),
  phrase("does the word deprecated appear anywhere in docs/?", "grep_search", {
    query: "deprecated",
    isRegexp: false,
    directory: "docs/",
  }),
  phrase(
    'Find occurrences of "maxRetries" in the typescript files',
    "grep_search",
    { query: "maxRetries", isRegexp: false, includePattern: "**/*.ts" },
    { query: "maxRetries", isRegexp: false, includePattern: "*.ts" },
  ),
  phrase("show me at most 5 matches for console.log", "grep_search", {
    query: "console.log",
    isRegexp: false,
    maxResults: 5,
  }),
  phrase("Search for lines matching `^import .* from` with a regular expression", "grep_search", {
    query: "^import .* from",
    isRegexp: true,
  }),
  phrase(
    "who mentions 'license' in this folder?",
    "grep_search",
    { query: "license", isRegexp: false },
    { query: "license", isRegexp: false, directory: "." },
  ),
  phrase('serch for "FIXME" in lib', "grep_search", { query: "FIXME", isRegexp: false, directory: "lib" }),
  phrase('please look through the sources for the phrase "not implemented"', "grep_search", {
    query: "not implemented",
    isRegexp: false,
  }),
  phrase("find 'password' in config/*.yml", "grep_search", {
    query: "password",
    isRegexp: false,
    includePattern: "config/*.yml",
  }),
  phrase("In which files do we use the text `SELECT * FROM users`?", "grep_search", {
    query: "SELECT * FROM users",
    isRegexp: false,
  }),
  phrase('check if "debugger" is left anywhere in the code', "grep_search", {
    query: "debugger",
    isRegexp: false,
  }),
  phrase(
    "How many times does the word urgent occur in the notes?",
    "grep_search",
    { query: "urgent", isRegexp: false },
    { query: "urgent", isRegexp: false, directory: "notes" },
  ),

  phrase("find the code that handles user login", "semantic_search", { query: has("user login") }),
  phrase("Where in the project do we parse dates?", "semantic_search", { query: has("parse dates") }),
  phrase("search by meaning for retry logic", "semantic_search", { query: has("retry logic") }),
  phrase("which part of the code sends e-mails?", "semantic_search", { query: has("e-mails") }),
  phrase("semantic search: rate limiting", "semantic_search", { query: has("rate limiting") }),
  phrase("look for something like a cache invalidation routine", "semantic_search", {
    query: has("cache invalidation"),
  }),
  phrase("where is the database connection set up?", "semantic_search", {
    query: has("database connection"),
  }),
  phrase("find code related to payment processing in src", "semantic_search", {
    query: has("payment processing"),
    directory: "src",
  }),
  phrase("Which file deals with permission checks?", "semantic_search", { query: has("permission checks") }),
  phrase("I am looking for the place where we validate passwords", "semantic_search", {
    query: has("validate passwords"),
  }),
  phrase("show me code similar to a debounce helper", "semantic_search", { query: has("debounce helper") }),
  phrase("what code takes care of logging?", "semantic_search", { query: has("logging") }),

  phrase("where do we use parseConfig?", "list_usages", { symbolName: "parseConfig" }),
  phrase("find all references to UserService", "list_usages", { symbolName: "UserService" }),
  phrase("who calls computeTotal()?", "list_usages", { symbolName: "computeTotal" }),
  phrase("list usages of MAX_SIZE", "list_usages", { symbolName: "MAX_SIZE" }),
  phrase("show every place that uses the function formatDate in src/date.ts and src/ui.ts", "list_usages", {
    symbolName: "formatDate",
    filePaths: ["src/date.ts", "src/ui.ts"],
  }),
  phrase("usages of `createServer` please", "list_usages", { symbolName: "createServer" }),
  phrase("Which functions call sendMail?", "list_usages", { symbolName: "sendMail" }),
  phrase("references for the class Widget", "list_usages", { symbolName: "Widget" }),
  phrase("Where do we call the function renderPage?", "list_usages", { symbolName: "renderPage" }),
  phrase("how often is the symbol fetchUser referenced?", "list_usages", { symbolName: "fetchUser" }),
  phrase("is legacyMode still used anywhere?", "list_usages", { symbolName: "legacyMode" }),
  phrase("callers of handleRequest", "list_usages", { symbolName: "handleRequest" }),
];

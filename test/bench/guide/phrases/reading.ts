import { has, phrase, type Phrase } from "../phrase.ts";

const id = "res_0123456789abcdef0123456789abcdef";
const stored = ["read_tool_result", "read"] as const;
const result = (more: Readonly<Record<string, number>> = {}, key = id) =>
  [
    { resultId: key, ...more },
    { toolCallId: key, ...more },
  ] as const;

/** read_file, list_dir, get_file_info, get_errors and stored results. */
export const reading: readonly Phrase[] = [
  phrase("open config/settings.yaml please", "read_file", { filePath: "config/settings.yaml" }),
  phrase("What's inside CHANGELOG.md?", "read_file", { filePath: "CHANGELOG.md" }),
  phrase("cat src/main.rs", "read_file", { filePath: "src/main.rs" }),
  phrase(
    "could you show me the first 30 lines of server.log",
    "read_file",
    { filePath: "server.log", limit: 30 },
    { filePath: "server.log", endLine: 30 },
    { filePath: "server.log", startLine: 1, endLine: 30 },
  ),
  phrase("print lines 40 to 60 of src/app.ts", "read_file", {
    filePath: "src/app.ts",
    startLine: 40,
    endLine: 60,
  }),
  phrase("I'd like to see what docs/intro.md says about installation", "read_file", {
    filePath: "docs/intro.md",
  }),
  phrase("pls dispaly notes/today.txt", "read_file", { filePath: "notes/today.txt" }),
  phrase(
    "Does .gitignore mention node_modules?",
    ["read_file", "grep_search"],
    { filePath: ".gitignore" },
    { query: "node_modules", isRegexp: false, includePattern: ".gitignore" },
  ),
  phrase("line 17 of parser.py", "read_file", { filePath: "parser.py", startLine: 17, endLine: 17 }),
  phrase("let me have a look at ~/projects/readme.txt", "read_file", { filePath: "~/projects/readme.txt" }),
  phrase("which port is set in docker-compose.yml?", "read_file", { filePath: "docker-compose.yml" }),
  phrase("Please read the file 'meeting notes.txt' aloud to me", "read_file", {
    filePath: "meeting notes.txt",
  }),
  phrase("view Makefile", "read_file", { filePath: "Makefile" }),
  phrase("Tell me what the license in LICENSE allows", "read_file", { filePath: "LICENSE" }),
  phrase('show me lines 5-12 in "src/index.js"', "read_file", {
    filePath: "src/index.js",
    startLine: 5,
    endLine: 12,
  }),
  phrase("whats in package.josn", "read_file", { filePath: "package.josn" }),
  phrase("Go through report.csv and tell me the total", "read_file", { filePath: "report.csv" }),
  phrase("gimme the contents of Dockerfile", "read_file", { filePath: "Dockerfile" }),
  phrase("Skip the first 100 lines of big.log and show the next 50", "read_file", {
    filePath: "big.log",
    offset: 100,
    limit: 50,
  }),
  phrase("According to CONTRIBUTING.md, how do I run the tests?", "read_file", {
    filePath: "CONTRIBUTING.md",
  }),
  phrase("Summarise docs/architecture.md for me", "read_file", { filePath: "docs/architecture.md" }),
  phrase("hey, mind opening index.html?", "read_file", { filePath: "index.html" }),
  phrase(
    "from line 200 on, what does trace.txt contain?",
    "read_file",
    { filePath: "trace.txt", startLine: 200 },
    { filePath: "trace.txt", offset: 199 },
  ),
  phrase("How many dependencies does package.json list?", "read_file", { filePath: "package.json" }),

  phrase("ls", "list_dir", { filePath: "." }),
  phrase("ls src/components", "list_dir", { filePath: "src/components" }),
  phrase("What files are in this folder?", "list_dir", { filePath: "." }),
  phrase("show the contents of the docs directory", "list_dir", { filePath: "docs" }),
  phrase("List everything under src, subfolders included", "list_dir", { filePath: "src", recursive: true }),
  phrase("which files do we have here?", "list_dir", { filePath: "." }),
  phrase("give me a directory listing of /tmp/build", "list_dir", { filePath: "/tmp/build" }),
  phrase("please list test/fixtures recursively", "list_dir", { filePath: "test/fixtures", recursive: true }),
  phrase("what's in the plugins folder?", "list_dir", { filePath: "plugins" }),
  phrase("show me the first 10 entries of the logs directory", "list_dir", { filePath: "logs", limit: 10 }),
  phrase("dir ./assets", "list_dir", { filePath: "./assets" }),
  phrase("Can you tell me what is stored in ~/Documents?", "list_dir", { filePath: "~/Documents" }),
  phrase("lsit the files in lib", "list_dir", { filePath: "lib" }),
  phrase("Browse the examples folder for me", "list_dir", { filePath: "examples" }),
  phrase("I want to know which files sit in packages/core", "list_dir", { filePath: "packages/core" }),
  phrase("show the tree of src", "list_dir", { filePath: "src", recursive: true }),
  phrase("enumerate the current directory", "list_dir", { filePath: "." }),
  phrase("How many files are there in images/?", "list_dir", { filePath: "images/" }, { filePath: "images" }),

  phrase("how much space does holiday.mov take?", "get_file_info", { filePath: "holiday.mov" }),
  phrase("When was report.docx last changed?", "get_file_info", { filePath: "report.docx" }),
  phrase("stat data.bin", "get_file_info", { filePath: "data.bin" }),
  phrase("tell me the size and permissions of run.sh", "get_file_info", { filePath: "run.sh" }),
  phrase("Is deploy.sh executable?", "get_file_info", { filePath: "deploy.sh" }),
  phrase("file details for photos/cat.png please", "get_file_info", { filePath: "photos/cat.png" }),
  phrase("when did somebody last touch src/index.ts?", "get_file_info", { filePath: "src/index.ts" }),
  phrase("what type of file is archive.tar.gz", "get_file_info", { filePath: "archive.tar.gz" }),
  phrase("How large is the database file data/app.sqlite?", "get_file_info", { filePath: "data/app.sqlite" }),
  phrase("creation date of thesis.tex", "get_file_info", { filePath: "thesis.tex" }),
  phrase("get info on package-lock.json", "get_file_info", { filePath: "package-lock.json" }),
  phrase("Do I have write permission on /etc/hosts?", "get_file_info", { filePath: "/etc/hosts" }),
  phrase("how many bytes does logo.svg have", "get_file_info", { filePath: "logo.svg" }),
  phrase("show metadata for budget.xlsx", "get_file_info", { filePath: "budget.xlsx" }),

  phrase("Are there any type errors in src/app.ts?", "get_errors", { filePaths: ["src/app.ts"] }),
  phrase("check my project for type errors", "get_errors", {}, { filePaths: [] }, { filePaths: ["."] }),
  phrase("does main.py have syntax errors", "get_errors", { filePaths: ["main.py"] }),
  phrase("which problems does the compiler see in lib/a.ts and lib/b.ts?", "get_errors", {
    filePaths: ["lib/a.ts", "lib/b.ts"],
  }),
  phrase(
    "check the whole workspace, any mistakes?",
    "get_errors",
    {},
    { filePaths: [] },
    { filePaths: ["."] },
  ),
  phrase("Show me the compile errors", "get_errors", {}, { filePaths: [] }),
  phrase("Verify that config.json parses without problems", "get_errors", { filePaths: ["config.json"] }),
  phrase("find out whether server.ts still has errors", "get_errors", { filePaths: ["server.ts"] }),
  phrase("any diagnostics for utils.js?", "get_errors", { filePaths: ["utils.js"] }),
  phrase("Is the code free of type errors?", "get_errors", {}, { filePaths: [] }),

  phrase(`Read stored result ${id}`, stored, ...result()),
  phrase(`show me more of ${id}`, stored, ...result()),
  phrase(`continue with result ${id} from offset 8192`, stored, ...result({ offset: 8192 })),
  phrase(
    `Get the next 4000 characters of ${id}, starting at 12000`,
    stored,
    ...result({ length: 4000, offset: 12000 }),
  ),
  phrase(`what else is in ${id}?`, stored, ...result()),
  phrase(
    `fetch the rest of the saved output ${id}, beginning at 16384`,
    stored,
    ...result({ offset: 16384 }),
  ),
  phrase("open the tool result of call_abc123XYZ", stored, ...result({}, "call_abc123XYZ")),
  phrase(`${id} please`, stored, ...result()),
  phrase(`Give me 2000 chars of ${id}`, stored, ...result({ length: 2000 })),
  phrase(`read the remaining part of tool result ${id}`, stored, ...result()),
];

/** think, increase_max_iterations and user_collaboration. */
export const thinking: readonly Phrase[] = [
  phrase("Think through how we could split the module", "think", { thoughts: has("split", "module") }),
  phrase("think about the pros and cons of SQLite", "think", { thoughts: has("pros", "cons", "SQLite") }),
  phrase("reflect on why the build is slow", "think", { thoughts: has("build", "slow") }),
  phrase("take a moment to consider the next steps", "think", { thoughts: has("next steps") }),
  phrase("plan in your head how to migrate the data", "think", { thoughts: has("migrate", "data") }),
  phrase("Let's reason about the deadlock", "think", { thoughts: has("deadlock") }),
  phrase("please think hard about naming", "think", { thoughts: has("naming") }),
  phrase("jot down your thoughts on the schema", "think", { thoughts: has("schema") }),

  phrase("raise the iteration limit to 500 because the migration is long", "increase", {
    requested_iterations: 500,
    reason: has("migration"),
  }),
  phrase("allow up to 400 iterations, since there are many files", "increase", {
    requested_iterations: 400,
    reason: has("many files"),
  }),
  phrase("increase max iterations to 350 for the refactoring", "increase", {
    requested_iterations: 350,
    reason: has("refactoring"),
  }),
  phrase("set the maximum number of steps to 600 so that you can finish the tests", "increase", {
    requested_iterations: 600,
    reason: has("tests"),
  }),
  phrase("bump the step limit to 320, there is a lot left to do", "increase", {
    requested_iterations: 320,
    reason: has("lot left"),
  }),
  phrase("please extend the iteration budget to 450 as the job is big", "increase", {
    requested_iterations: 450,
    reason: has("job"),
  }),
  phrase("you get 700 iterations now", "increase", { requested_iterations: 700, reason: has() }),
  phrase("more iterations please: 380, the test suite takes a while", "increase", {
    requested_iterations: 380,
    reason: has("test suite"),
  }),

  phrase("ask me which colour I prefer", "request_input", { prompt: has("colour") }),
  phrase("Ask me whether to continue", "request_input", { prompt: has("continue") }),
  phrase("ask the user for the project name", "request_input", { prompt: has("project name") }),
  phrase("check with me before you go on: should we deploy?", "request_input", { prompt: has("deploy") }),
  phrase(
    "let me choose between red, green and blue",
    "request_input",
    { prompt: has("red"), options: ["red", "green", "blue"] },
    { prompt: has("red", "green", "blue") },
  ),
  phrase("prompt me for my e-mail address", "request_input", { prompt: has("e-mail") }),
  phrase("I want you to ask me what the deadline is", "request_input", { prompt: has("deadline") }),
  phrase("request my approval to upgrade the packages", "request_input", { prompt: has("upgrade") }),
  phrase("Have me confirm the plan", "request_input", { prompt: has("plan") }),
  phrase(
    "ask me: tea or coffee?",
    "request_input",
    { prompt: has("tea", "coffee") },
    { prompt: has("tea"), options: ["tea", "coffee"] },
  ),
];

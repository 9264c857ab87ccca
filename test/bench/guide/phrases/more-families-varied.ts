import { has, phrase, type Phrase } from "../phrase.ts";

const A = "agent_00ff11ee22dd";
const unified = "--- a/m.rs\n+++ b/m.rs\n@@ -3 +3 @@\n-let a\n+let b";
const run = (command: string, more: Readonly<Record<string, string | number | boolean>> = {}) => ({
  command,
  explanation: has(""),
  ...more,
});
const store = "system_search.search";

/** A second set for the tool families, for tuning only. */
export const moreFamiliesVaried: readonly Phrase[] = [
  phrase("think about which cases are missing", "think", { thoughts: has("which cases are missing") }),
  phrase("reason about the order of the steps", "think", { thoughts: has("order of the steps") }),
  phrase("you may use up to 500 iterations because the list is long", "increase", {
    requested_iterations: 500,
    reason: has("list is long"),
  }),
  phrase("ask me how many copies I need", "request_input", { prompt: has("how many copies") }),
  phrase("ask me for a password", "request_input", { prompt: has("password") }),
  phrase("get my approval before you delete anything", "request_input", { prompt: has("delete anything") }),
  phrase("let me choose one of small, medium and large", "request_input", {
    prompt: has(),
    options: ["small", "medium", "large"],
  }),

  phrase(
    "what can you find on the internet about glass blowing?",
    ["web_operations.search", "web_operations.research"],
    {
      query: has("glass blowing"),
    },
  ),
  phrase("web search for quiet keyboards", "web_operations.search", { query: has("quiet keyboards") }),
  phrase("compare what several websites say about cast iron pans", "web_operations.research", {
    query: has("cast iron pans"),
  }),
  phrase("download https://example.net/data.json and show it", "web_operations.fetch", {
    url: "https://example.net/data.json",
  }),

  phrase("import the presentation talks/intro.pptx into memory", "document_import", {
    path: "talks/intro.pptx",
  }),
  phrase(
    "show me information about the document rules.docx",
    ["get_doc_info", "get_file_info"],
    { path: "rules.docx" },
    { filePath: "rules.docx" },
  ),
  phrase("how many words does the document report.docx have?", ["get_doc_info", "file_info"], {
    path: "report.docx",
  }),
  phrase('create a word file named bye.docx which says "So long"', "document_create", {
    content: "So long",
    format: "docx",
    filename: "bye.docx",
  }),
  phrase('export "Name,Age" as a spreadsheet people.xlsx', "document_create", {
    content: "Name,Age",
    format: "xlsx",
    filename: "people.xlsx",
  }),

  phrase("find images called sunset on this computer", store, { query: "sunset", file_type: "image" }),
  phrase("search this laptop for tax documents", store, { query: "tax", file_type: "document" }),
  phrase("where on my machine is the spreadsheet payroll?", store, {
    query: "payroll",
    file_type: "spreadsheet",
  }),
  phrase("search my machine for anything named contract", store, { query: "contract" }),
  phrase("which of my letters contain the words kind regards?", "search_content", {
    query: has("kind regards"),
  }),
  phrase("look in all files of this computer for the word volcano", "search_content", { query: "volcano" }),
  phrase("find photos taken with a camera called Olympus", "search_metadata", {
    attribute: "camera",
    value: "Olympus",
  }),
  phrase("show documents whose author is Woolf", "search_metadata", { attribute: "author", value: "Woolf" }),
  phrase(
    "what resolution does banner.png have?",
    ["file_info", "get_file_info"],
    { path: "banner.png" },
    { filePath: "banner.png" },
  ),
  phrase("what is the title of the song intro.mp3?", "file_info", { path: "intro.mp3" }),
  phrase("which files did I touch in the last 8 hours?", "recent_files", { hours: 8 }),
  phrase("list recently changed files", "recent_files", {}),

  phrase("get an agent to proofread the article", "spawn", { task: has("proofread the article") }),
  phrase("start an agent that watches the log file", "spawn", { task: has("watches the log file") }),
  phrase("how many agents are running?", "agent_operations.list", {}),
  phrase("did any agent report something?", "inbox", {}),
  phrase(`how far has ${A} got?`, "agent_operations.status", { agent_id: A }),
  phrase(`abort ${A}`, "kill", { agent_id: A }),
  phrase(`${A} should also read the appendix, tell it`, "send", {
    agent_id: A,
    message: has("read the appendix"),
  }),
  phrase(`give ${A} the message finish by noon`, "send", { agent_id: A, message: has("finish by noon") }),
  phrase("message all agents: stop at ten results", "broadcast", { message: has("stop at ten results") }),

  phrase(`apply the diff below\n${unified}`, "patch", { patch: unified }),
  phrase(`can this diff be applied?\n${unified}`, "patch", { patch: unified, dry_run: true }),
  phrase(`only check this patch, change nothing:\n${unified}`, "patch", { patch: unified, dry_run: true }),

  phrase("run pytest -q", "run_command", run("pytest -q")),
  phrase("run `cargo test` please", "run_command", run("cargo test")),
  phrase("execute the shell command `free -h`", "run_command", run("free -h")),
  phrase("run `go build` in cmd/server", "run_command", run("go build", { working_directory: "cmd/server" })),
  phrase(
    "start `redis-server` in the background",
    "run_command",
    run("redis-server", { isBackground: true }),
  ),
  phrase("run `npm ci` and allow it 400 seconds", "run_command", run("npm ci", { timeout: 400 })),
  phrase("please run this command: uname -r", "run_command", run("uname -r")),
  phrase("please execute npm run build", "run_command", run("npm run build")),

  phrase("run ps aux on web@front1", "execute_remote", { host: "web@front1", command: "ps aux" }),
  phrase("log in to web@front1 and run df -h", "execute_remote", { host: "web@front1", command: "df -h" }),
  phrase("run date on every machine", "execute_parallel", { targets: ["all"], command: "date" }),
  phrase("execute `uptime` on the group backend", "execute_parallel", {
    targets: ["backend"],
    command: "uptime",
  }),
  phrase("run free -m on a@h1, b@h2 and c@h3", "execute_parallel", {
    targets: ["a@h1", "b@h2", "c@h3"],
    command: "free -m",
  }),
  phrase("please prepare web@front1 for remote use", "prepare_remote", { host: "web@front1" }),
  phrase("clean web@front1 up", "cleanup_remote", { host: "web@front1" }),
  phrase("remove our things from web@front1", "cleanup_remote", { host: "web@front1" }),
  phrase("does web@front1 answer?", "check_remote", { host: "web@front1" }),
  phrase("what operating system is on web@front1?", "check_remote", { host: "web@front1" }),

  phrase("add a tag named v0.5", "tag", { action: "create", name: "v0.5" }),
  phrase("tag the last commit v4.4", "tag", { action: "create", name: "v4.4" }),
  phrase("drop the tag old-2", "tag", { action: "delete", name: "old-2" }),
  phrase("what stashes do I have?", "stash", {}, { action: "list" }),
  phrase("stash this as trial", "stash", { action: "save", message: "trial" }),
  phrase("reapply the last stash", "stash", { action: "apply" }),
  phrase("start a branch called spike", "branch", { action: "create", name: "spike" }),
  phrase("switch over to develop", "branch", { action: "switch", name: "develop" }),
  phrase("get rid of the branch spike", "branch", { action: "delete", name: "spike" }),
  phrase("push main", "push", { branch: "main" }),
  phrase("push the branch spike to fork", "push", { branch: "spike", remote: "fork" }),
  phrase("git push --force origin main", "push", { branch: "main", remote: "origin", force: true }),
  phrase("pull from upstream", "pull", { remote: "upstream" }),
  phrase("pull main from fork with rebase", "pull", { branch: "main", remote: "fork", mode: "rebase" }),
  phrase("commit the changes with the message Bump version", "git_commit", { message: "Bump version" }),
  phrase("commit src/io.ts as Close the stream", "git_commit", {
    message: "Close the stream",
    files: ["src/io.ts"],
  }),
  phrase("show me 7 commits by Kim", "log", { limit: 7, author: "Kim" }),
  phrase("which commits touched app.py?", "log", { file: "app.py" }),
  phrase("what did Eve commit since 2026-06-01?", "log", { author: "Eve", since: has("2026-06-01") }),
  phrase("diff HEAD", "diff", { ref1: "HEAD" }),
  phrase("show the differences in lib/a.ts", "diff", { file: "lib/a.ts" }),
  phrase("do I have uncommitted work?", "status", {}),
  phrase("which files did I modify in the repository?", "status", {}),

  phrase("find callers of initDb", "list_usages", { symbol_name: "initDb" }, { symbolName: "initDb" }),
  phrase("which commit introduced retryDelay?", "search_history", { query: "retryDelay" }),
  phrase("show 3 commits about the parser", "search_history", { query: has("parser"), max_results: 3 }),

  phrase("please remember that lunch is at one", "store_memory", { content: has("lunch is at one") }),
  phrase("make a mental note that Tom is on holiday", "store_memory", { content: has("Tom is on holiday") }),
  phrase("what do you remember of our trip?", "search_memory", { query: has("trip") }),
  phrase("what did we talk about regarding the kitchen?", "recall_history", { query: has("kitchen") }),
  phrase("recall what I said about Anna", "recall_history", { query: has("Anna") }),
  phrase("store 8080 under the key port", "store", { key: "port", content: "8080" }),
  phrase("keep the value north under the key side", "store", { key: "side", content: "north" }),
  phrase("get the value of the key port", "retrieve", { key: "port" }),
  phrase("tell me the value of the key side", "retrieve", { key: "side" }),
  phrase("are any keys stored?", "list_keys", {}),
  phrase("how much have you memorised?", "list_collections", {}),
  phrase("what is in long-term memory, in numbers?", "ltm_stats", {}),
  phrase("forget the key side", "delete_key", { key: "side" }),
  phrase("which stored values contain localhost?", "search_kv", { query: "localhost" }),
  phrase("delete long-term memory older than 45 days", "prune_ltm", { max_age_days: 45 }),
  phrase("a discovery to keep: the tests need a network", "add_discovery", {
    fact: has("tests need a network"),
  }),
  phrase("keep in mind the pattern that ids are numbers", "add_pattern", { pattern: has("ids are numbers") }),
  phrase("record that the error 'bad gateway' is solved by restarting the proxy", "add_solution", {
    error: "bad gateway",
    solution: has("restarting the proxy"),
  }),

  phrase("what does the note Passwords say?", "get_note", { note_name: "Passwords" }),
  phrase("find notes about the boiler", "notes_operations.search", { query: has("boiler") }),
  phrase("add Tim to my note Guests", "append_note", { note_name: "Guests", text: "Tim" }),
  phrase("write a note named Ideas: paint the hall", "create_note", {
    title: "Ideas",
    body: "paint the hall",
  }),

  phrase("delete the calendar entry 5e5e-77", "delete_event", { event_id: "5e5e-77" }),
  phrase("I have done the reminder 6f6f-88", "complete_reminder", { reminder_id: "6f6f-88" }),
  phrase("finish the reminder 6f6f-89", "complete_reminder", { reminder_id: "6f6f-89" }),
  phrase("tell me which reminder lists I have", "list_reminder_lists", {}),
  phrase("any reminders left?", "list_reminders", {}),
  phrase("book a table with Zoe on 2027-05-06 at 20:00 in my calendar", "create_event", {
    title: has("table with Zoe"),
    start_date: has("2027-05-06T20:00"),
  }),
  phrase("make 2027-06-07 an all-day event called Trip", "create_event", {
    title: "Trip",
    start_date: "2027-06-07",
  }),
  phrase("remind me to turn off the oven", "create_reminder", { title: has("turn off the oven") }),
  phrase("add a reminder: water the cactus", "create_reminder", { title: has("water the cactus") }),
  phrase("what's coming up in my calendar?", "list_events", {}),
  phrase("when do I meet Laura?", "search_events", { query: has("Laura") }),

  phrase("how can I reach Jonas Weber?", "contacts_operations.search", { query: has("Jonas Weber") }),
  phrase("change the email of contact 77ee-8 to x@example.org", "update_contact", {
    contact_id: "77ee-8",
    email: "x@example.org",
  }),
  phrase("save the number 555-0166 for Nora", "create_contact", { first_name: "Nora", phone: "555-0166" }),

  phrase("complete todo 8", "update", { todoUpdates: [{ id: 8, status: "completed" }] }),
  phrase("todo 9 is in progress", "update", { todoUpdates: [{ id: 9, status: "in-progress" }] }),
  phrase("set todo 2 to low priority", "update", { todoUpdates: [{ id: 2, priority: "low" }] }),
  phrase("add a task: sharpen the knives", "add", { newTodos: has("sharpen the knives") }),
  phrase("I need to buy a lamp, put that on my todo list", "add", { newTodos: has("buy a lamp") }),
  phrase("write the todos: first sweep, then mop", "write", { todoList: has("sweep", "mop") }),

  phrase("is it windy in Cork?", "current", { city: "Cork" }),
  phrase("how hot will it be in Doha in the next 3 days?", "forecast", { city: "Doha", days: 3 }),
  phrase("give me a 4 day forecast for Graz", "forecast", { city: "Graz", days: 4 }),
  phrase("what's the hourly weather in Nantes?", "hourly", { city: "Nantes" }),
  phrase("will it rain in Gent in the next 5 hours?", "hourly", { city: "Gent", hours: 5 }),

  phrase("what is 250 divided by 8?", "calculate", { expression: has("250", "8") }),
  phrase("area of a circle, radius 3", "formula", { formula: "area_circle", radius: 3 }),
  phrase("how many ounces are in 2 pounds?", "convert", { value: 2, from: "pounds", to: "ounces" }),
  phrase("sketch a harbour town", "generate", { prompt: "a harbour town" }),
  phrase("make me an image of a paper boat", "generate", { prompt: "a paper boat" }),
  phrase("generate an image of an old clock with the seed 99", "generate", {
    prompt: "an old clock",
    seed: 99,
  }),
];

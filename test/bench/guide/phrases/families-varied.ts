import { has, phrase, type Phrase } from "../phrase.ts";

const A = "agent_77665544aabb";
const B = "agent_1234abcd5678";
const patch = "*** Begin Patch\n*** Update File: lib/x.ts\n@@\n-a\n+b\n*** End Patch";
const run = (command: string, more: Readonly<Record<string, string | number | boolean>> = {}) => ({
  command,
  explanation: has(""),
  ...more,
});

/** Further phrases for the tool families, for tuning only: each operation in other words than elsewhere. */
export const familiesVaried: readonly Phrase[] = [
  phrase("search online for hiking trails near Graz", "web_operations.search", {
    query: has("hiking trails near Graz"),
  }),
  phrase("use the web to find the height of Mont Blanc", "web_operations.search", {
    query: has("height of Mont Blanc"),
  }),
  phrase("I need web results for solar chargers", "web_operations.search", { query: has("solar chargers") }),
  phrase("open http://status.example.org", "web_operations.fetch", { url: "http://status.example.org" }),
  phrase("what is written at https://example.org/faq?", "web_operations.fetch", {
    url: "https://example.org/faq",
  }),
  phrase("look into the causes of the 1929 crash using several sources", "web_operations.research", {
    query: has("1929 crash"),
  }),
  phrase("what are the newest news about lithium mining?", "web_operations.research", {
    query: has("lithium mining"),
    type: "news",
  }),
  phrase("shallow research on tea ceremonies", "web_operations.research", {
    query: has("tea ceremonies"),
    depth: "shallow",
  }),

  phrase("import warranty.pdf please", "document_import", { path: "warranty.pdf" }),
  phrase("read syllabus.docx into memory", "document_import", { path: "syllabus.docx" }),
  phrase("store the pdf bylaws.pdf in memory", "document_import", { path: "bylaws.pdf" }),
  phrase("import the spreadsheet data/2025.xlsx", "document_import", { path: "data/2025.xlsx" }),
  phrase("how many slides are in lecture.pptx?", ["get_doc_info", "file_info"], { path: "lecture.pptx" }),
  phrase("document info for charter.docx", "get_doc_info", { path: "charter.docx" }),
  phrase("who is the author of novel.docx", ["get_doc_info", "file_info"], { path: "novel.docx" }),
  phrase("which sheets does the workbook plan.xlsx have?", "get_doc_info", { path: "plan.xlsx" }),
  phrase('make me a pdf with the text "Closed on Monday"', "document_create", {
    content: "Closed on Monday",
    format: "pdf",
  }),
  phrase('create a powerpoint deck.pptx with "# Goals"', "document_create", {
    content: "# Goals",
    format: "pptx",
    filename: "deck.pptx",
  }),
  phrase('write "Minutes of May" to a word document called may.docx', "document_create", {
    content: "Minutes of May",
    format: "docx",
    filename: "may.docx",
  }),
  phrase('I need a spreadsheet hours.xlsx containing "Day,Hours"', "document_create", {
    content: "Day,Hours",
    format: "xlsx",
    filename: "hours.xlsx",
  }),
  phrase(
    'please generate a word document with the title "Offer" and the text "Price: 5"',
    "document_create",
    {
      content: "Price: 5",
      format: "docx",
      title: "Offer",
    },
  ),

  phrase("is there a file called lease-2021 on this computer?", "system_search.search", {
    query: "lease-2021",
  }),
  phrase("search my computer for the presentation rollout", "system_search.search", {
    query: "rollout",
    file_type: "presentation",
  }),
  phrase("where on this computer are my vacation videos?", "system_search.search", {
    query: has("vacation"),
    file_type: "video",
  }),
  phrase("locate pictures called logo on this machine", "system_search.search", {
    query: "logo",
    file_type: "image",
  }),
  phrase("on my computer, find the file thesis-v3", "system_search.search", { query: "thesis-v3" }),
  phrase("which files on this computer contain the word mitochondria?", "search_content", {
    query: "mitochondria",
  }),
  phrase("search inside the documents on this machine for severance pay", "search_content", {
    query: "severance pay",
  }),
  phrase("find letters on my computer that mention Aunt Rosa", "search_content", { query: "Aunt Rosa" }),
  phrase("find pictures with the camera Pentax", "search_metadata", { attribute: "camera", value: "Pentax" }),
  phrase("which documents are by the author Brecht?", "search_metadata", {
    attribute: "author",
    value: "Brecht",
  }),
  phrase("list the songs with the artist Bob Marley", "search_metadata", {
    attribute: "artist",
    value: "Bob Marley",
  }),
  phrase("which videos have a duration > 600?", "search_metadata", { attribute: "duration", value: "> 600" }),
  phrase("who sings anthem.mp3?", "file_info", { path: "anthem.mp3" }),
  phrase(
    "show the metadata of sunset.jpg",
    ["file_info", "get_file_info"],
    { path: "sunset.jpg" },
    { filePath: "sunset.jpg" },
  ),
  phrase("where was ~/Pictures/lake.jpg taken?", "file_info", { path: "~/Pictures/lake.jpg" }),
  phrase("what did I edit today?", "recent_files", {}, { hours: 24 }),
  phrase("list the files changed in the last 12 hours", "recent_files", { hours: 12 }),
  phrase("my most recently changed spreadsheets", "recent_files", { file_type: "spreadsheet" }),

  phrase("have an agent check the spelling of intro.md", "spawn", {
    task: has("check the spelling of intro.md"),
  }),
  phrase("start a sub-agent to find unused functions", "spawn", { task: has("find unused functions") }),
  phrase("I want an agent to draft the release notes", "spawn", { task: has("draft the release notes") }),
  phrase("spawn an agent: compare both reports", "spawn", { task: has("compare both reports") }),
  phrase("let a sub-agent test the installer, and wait for it", "spawn", {
    task: has("test the installer"),
    wait: true,
  }),
  phrase("which sub-agents do I have?", "agent_operations.list", {}),
  phrase("show the running agents", "agent_operations.list", {}),
  phrase("read the agent inbox", "inbox", {}),
  phrase("are there new summaries from the agents?", "inbox", {}),
  phrase(`is ${A} finished?`, "agent_operations.status", { agent_id: A }),
  phrase(`check on ${B}`, "agent_operations.status", { agent_id: B }),
  phrase(`kill the agent ${A}`, "kill", { agent_id: A }),
  phrase(`halt ${B}`, "kill", { agent_id: B }),
  phrase(`tell ${A} to use the new template`, "send", { agent_id: A, message: has("use the new template") }),
  phrase(`ask ${B} to be quick`, "send", { agent_id: B, message: has("be quick") }),
  phrase(`send ${A} this message: start with chapter two`, "send", {
    agent_id: A,
    message: has("start with chapter two"),
  }),
  phrase(`let ${B} know that the data is ready`, "send", { agent_id: B, message: has("the data is ready") }),
  phrase("tell every agent to pause", "broadcast", { message: has("pause") }),
  phrase("send the message prefer short answers to all agents", "broadcast", {
    message: has("prefer short answers"),
  }),
  phrase("inform all agents that the disk is full", "broadcast", { message: has("the disk is full") }),

  phrase(`apply this: ${patch}`, "patch", { patch }),
  phrase(`here is a patch, please apply it:\n${patch}`, "patch", { patch }),
  phrase(`test whether this patch fits:\n${patch}`, "patch", { patch, dry_run: true }),
  phrase(`apply this patch in src:\n${patch}`, "patch", { patch, target_directory: "src" }),

  phrase("please execute `git gc`", "run_command", run("git gc")),
  phrase("run the command `du -sh .`", "run_command", run("du -sh .")),
  phrase("run docker ps", "run_command", run("docker ps")),
  phrase("could you run `ls` in build/out?", "run_command", run("ls", { working_directory: "build/out" })),
  phrase("run `vite` in the background please", "run_command", run("vite", { isBackground: true })),
  phrase(
    "execute `make all` with a timeout of 500 seconds",
    "run_command",
    run("make all", { timeout: 500 }),
  ),
  phrase("open a shell and run `id`", "run_command", run("id")),

  phrase("connect to root@cache1 and run top -b -n1", "execute_remote", {
    host: "root@cache1",
    command: "top -b -n1",
  }),
  phrase("run `tail -n 5 /var/log/syslog` on admin@log", "execute_remote", {
    host: "admin@log",
    command: "tail -n 5 /var/log/syslog",
  }),
  phrase("on pi@garage run uptime", "execute_remote", { host: "pi@garage", command: "uptime" }),
  phrase("run hostname on all servers", "execute_parallel", { targets: ["all"], command: "hostname" }),
  phrase("execute `df -h` on each host", "execute_parallel", { targets: ["all"], command: "df -h" }),
  phrase("run `id` on u@one and u@two", "execute_parallel", { targets: ["u@one", "u@two"], command: "id" }),
  phrase("run ls on the group front", "execute_parallel", { targets: ["front"], command: "ls" }),
  phrase("prepare pi@garage", "prepare_remote", { host: "pi@garage" }),
  phrase("get admin@log ready for remote commands", "prepare_remote", { host: "admin@log" }),
  phrase("prepare root@cache1 on port 2022", "prepare_remote", { host: "root@cache1", ssh_port: 2022 }),
  phrase("clear up pi@garage", "cleanup_remote", { host: "pi@garage" }),
  phrase("delete our files on admin@log", "cleanup_remote", { host: "admin@log" }),
  phrase("we are finished with root@cache1, clean it up", "cleanup_remote", { host: "root@cache1" }),
  phrase("check whether pi@garage is reachable", "check_remote", { host: "pi@garage" }),
  phrase("is admin@log online?", "check_remote", { host: "admin@log" }),
  phrase("which system does root@cache1 run?", "check_remote", { host: "root@cache1" }),
  phrase("test the ssh connection to pi@garage", "check_remote", { host: "pi@garage" }),

  phrase("create a tag called v7", "tag", { action: "create", name: "v7" }),
  phrase("tag HEAD as nightly-3", "tag", { action: "create", name: "nightly-3" }),
  phrase("show all tags", "tag", {}, { action: "list" }),
  phrase("delete the tag rc-1", "tag", { action: "delete", name: "rc-1" }),
  phrase("what branches do we have?", "branch", {}, { action: "list" }),
  phrase("make a new branch named parser", "branch", { action: "create", name: "parser" }),
  phrase("change to the branch main", "branch", { action: "switch", name: "main" }),
  phrase("check out the branch develop", "branch", { action: "switch", name: "develop" }),
  phrase("delete branch tmp-fix", "branch", { action: "delete", name: "tmp-fix" }),
  phrase("put my work in a stash", "stash", { action: "save" }),
  phrase("stash the changes as before lunch", "stash", { action: "save", message: has("before lunch") }),
  phrase("apply the stash", "stash", { action: "apply" }),
  phrase("drop stash 1", "stash", { action: "drop", index: 1 }),
  phrase("do I have any stashes?", "stash", {}, { action: "list" }),
  phrase("push the branch topic", "push", { branch: "topic" }),
  phrase("push the current branch", "push", {}),
  phrase("git push --force", "push", { force: true }),
  phrase("push hotfix to mirror with force", "push", { branch: "hotfix", remote: "mirror", force: true }),
  phrase("update from the remote", "pull", {}),
  phrase("pull the branch main", "pull", { branch: "main" }),
  phrase("pull with merge", "pull", { mode: "merge" }),
  phrase("commit a.py and b.py with the message Add parser", "git_commit", {
    message: "Add parser",
    files: ["a.py", "b.py"],
  }),
  phrase("commit this as Tidy up", "git_commit", { message: "Tidy up" }),
  phrase("make a commit with the message Update readme", "git_commit", { message: "Update readme" }),
  phrase("what did Tom commit since 2026-05-01?", "log", { author: "Tom", since: has("2026-05-01") }),
  phrase("git history of core/main.go", "log", { file: "core/main.go" }),
  phrase("show what changed in style.css", "diff", { file: "style.css" }),
  phrase("what is different between main and topic?", "diff", { ref1: "main", ref2: "topic" }),
  phrase("is my working tree clean?", "status", {}),
  phrase("what have I not committed yet?", "status", {}),

  phrase(
    "find the places where closeDoor is called",
    "list_usages",
    { symbol_name: "closeDoor" },
    { symbolName: "closeDoor" },
  ),
  phrase("where is MAX_DEPTH used in src?", "list_usages", { symbol_name: "MAX_DEPTH", file_paths: ["src"] }),
  phrase("who removed the function oldPath and when?", "search_history", { query: "oldPath" }),
  phrase("find the commits that mention memory leaks", "search_history", { query: has("memory leak") }),

  phrase("please note for later that the key is under the mat", "store_memory", {
    content: has("key is under the mat"),
  }),
  phrase("remember I park on level 3", "store_memory", { content: has("park on level 3") }),
  phrase("what have I told you about my boat?", ["search_memory", "recall_history"], { query: has("boat") }),
  phrase("do you remember my blood type?", "search_memory", { query: has("blood type") }),
  phrase("what did I say earlier about the fence?", "recall_history", { query: has("fence") }),
  phrase("put 12 under the key width", "store", { key: "width", content: "12" }),
  phrase("set the key city to Ulm", "store", { key: "city", content: "Ulm" }),
  phrase("what does the key city hold?", "retrieve", { key: "city" }),
  phrase("show the value of the key width", "retrieve", { key: "width" }),
  phrase("which keys do you know?", "list_keys", {}),
  phrase("how many memories have you got?", "list_collections", {}),
  phrase("long-term memory stats please", "ltm_stats", {}),
  phrase("drop the key width", "delete_key", { key: "width" }),
  phrase("search the stored values for vpn", "search_kv", { query: "vpn" }),
  phrase("prune long-term memory older than 90 days", "prune_ltm", { max_age_days: 90 }),
  phrase("keep the discovery that the api returns at most 50 rows", "add_discovery", {
    fact: has("returns at most 50 rows"),
  }),
  phrase("save the pattern that modules have one export", "add_pattern", {
    pattern: has("modules have one export"),
  }),
  phrase("note the solution for the error 'no heap': give it more memory", "add_solution", {
    error: "no heap",
    solution: has("give it more memory"),
  }),

  phrase("add buy stamps to the note Today", "append_note", { note_name: "Today", text: "buy stamps" }),
  phrase("write Lena at the end of the note Guests", "append_note", { note_name: "Guests", text: "Lena" }),
  phrase("create a note with the title Wine and the text two bottles of red", "create_note", {
    title: "Wine",
    body: "two bottles of red",
  }),
  phrase("which notes are in my folder Garden?", "list_notes", { folder: "Garden" }),

  phrase("set the reminder 12ab-3 to done", "complete_reminder", { reminder_id: "12ab-3" }),
  phrase("mark the reminder 45cd-6 as finished", "complete_reminder", { reminder_id: "45cd-6" }),
  phrase("which lists do my reminders have?", "list_reminder_lists", {}),
  phrase("cancel the appointment 78ef-9", "delete_event", { event_id: "78ef-9" }),
  phrase("get rid of the reminder 90ab-1", "delete_reminder", { reminder_id: "90ab-1" }),
  phrase("add a meeting with Ines on 2027-03-04 at 11:00", "create_event", {
    title: has("meeting with Ines"),
    start_date: has("2027-03-04T11:00"),
  }),
  phrase("remind me to feed the cat on 2026-12-05 at 18:00", "create_reminder", {
    title: has("feed the cat"),
    due_date: has("2026-12-05T18:00"),
  }),
  phrase("create a reminder to send the parcel", "create_reminder", { title: has("send the parcel") }),
  phrase("what's in my calendar for the next 5 days?", "list_events", { days_ahead: 5 }),

  phrase("what is the email of Rosa Klein?", "contacts_operations.search", { query: "Rosa Klein" }),
  phrase("set the job title of the contact 66dd-7 to Director", "update_contact", {
    contact_id: "66dd-7",
    job_title: "Director",
  }),
  phrase("change the phone number of contact 66dd-7 to 555-0188", "update_contact", {
    contact_id: "66dd-7",
    phone: "555-0188",
  }),
  phrase("create the contact Tim Vogel with the phone 555-0155", "create_contact", {
    first_name: "Tim",
    last_name: "Vogel",
    phone: "555-0155",
  }),

  phrase("set todo 3 to done", "update", { todoUpdates: [{ id: 3, status: "completed" }] }),
  phrase("I finished todo 6", "update", { todoUpdates: [{ id: 6, status: "completed" }] }),
  phrase("I am working on todo 4", "update", { todoUpdates: [{ id: 4, status: "in-progress" }] }),
  phrase("task 1 has high priority", "update", { todoUpdates: [{ id: 1, priority: "high" }] }),
  phrase("add to my todos: order new glasses", "add", { newTodos: has("order new glasses") }),
  phrase("put order paper on the list of todos", "add", { newTodos: has("order paper") }),
  phrase("create a todo list: draw the plan, then build the shed", "write", {
    todoList: has("draw the plan", "build the shed"),
  }),
  phrase("make these my todos: call mum, then cook", "write", { todoList: has("call mum", "cook") }),

  phrase("will there be snow in Davos over the next 3 days?", "forecast", { city: "Davos", days: 3 }),
  phrase("what's the forecast for Turin for 4 days", "forecast", { city: "Turin", days: 4 }),
  phrase("how windy is it in Kiel?", "current", { city: "Kiel" }),
  phrase("weather forecast for the next 5 days in Linz", "forecast", { city: "Linz", days: 5 }),
  phrase("hourly forecast for Basel for the next 4 hours", "hourly", { city: "Basel", hours: 4 }),
  phrase("how will the weather be in Malmö over the next 9 hours?", "hourly", { city: "Malmö", hours: 9 }),

  phrase("paint a cat in the style of a woodcut", "generate", { prompt: "a cat in the style of a woodcut" }),
  phrase("draw me an owl", "generate", { prompt: "an owl" }),
  phrase("generate a picture of a comet with 40 steps", "generate", { prompt: "a comet", steps: 40 }),
  phrase("create a 640 by 640 image of a violin", "generate", {
    prompt: "a violin",
    width: 640,
    height: 640,
  }),
  phrase("make a picture of a meadow without cows", "generate", {
    prompt: "a meadow",
    negative_prompt: "cows",
  }),
  phrase("which models can make images?", "list_models", {}),

  phrase("ponder the order of the chapters", "think", { thoughts: has("order of the chapters") }),
  phrase("think over how to name the module", "think", { thoughts: has("name the module") }),
  phrase("ask me for the name of the customer", "request_input", { prompt: has("name of the customer") }),
  phrase("ask me which of the two I want", "request_input", { prompt: has("which of the two") }),
  phrase("let me decide between oak and pine", "request_input", { prompt: has(), options: ["oak", "pine"] }),
  phrase("ask the user when to deploy", "request_input", { prompt: has("when to deploy") }),
];

import { has, phrase, type Phrase } from "../phrase.ts";

const A = "agent_77665544aabb";
const B = "agent_1234abcd5678";
const patch = "*** Begin Patch\n*** Update File: lib/x.ts\n@@\n-a\n+b\n*** End Patch";
const run = (command: string, more: Readonly<Record<string, string | number | boolean>> = {}) => ({
  command,
  explanation: has(""),
  ...more,
});

/** The web, documents, this computer, agents, patches, commands and other machines. */
export const actingVaried: readonly Phrase[] = [
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
];

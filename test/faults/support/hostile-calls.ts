/** A call of a tool whose arguments are hostile. */
export interface HostileCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Paths that lead out of the working directory, or to no file (B5). */
const pathsTo = (data: string): readonly string[] => [
  `${data}/notes.txt`,
  "../data/notes.txt",
  "./../data/notes.txt",
  "x/../../data/notes.txt",
  "link/notes.txt",
  "./link/../link/notes.txt",
  "..\\data\\notes.txt",
  "%2e%2e/data/notes.txt",
  "..%2fdata%2fnotes.txt",
  "....//data/notes.txt",
  `file://${data}/notes.txt`,
  `file:${data}/notes.txt`,
  "~/../data/notes.txt",
  "$HOME/data/notes.txt",
  "../data/notes.txt\0.txt",
  "../data/./././notes.txt",
  "/proc/self/environ",
  "/proc/self/cwd/../data/notes.txt",
  "/proc/self/root/etc/shadow",
  "/dev/stdin",
  "/dev/zero",
  "/dev/fd/0",
  "/etc/shadow",
  "/",
  "",
  " ",
  "..",
  "../data",
  "a".repeat(5000),
  "a/".repeat(2000),
  "\u202e../data/notes.txt",
  "..\u2215data\u2215notes.txt",
  "con",
  ".git/config",
  ".git/hooks/pre-commit",
  ".mcp.json",
];

const urls: readonly string[] = [
  "http://127.0.0.1:1/",
  "http://127.1:1/",
  "http://2130706433:1/",
  "http://0x7f000001:1/",
  "http://0177.0.0.1:1/",
  "http://[::1]:1/",
  "http://[::ffff:127.0.0.1]:1/",
  "http://[::ffff:7f00:1]:1/",
  "http://[64:ff9b::7f00:1]:1/",
  "http://[::]:1/",
  "http://0.0.0.0:1/",
  "http://localhost:1/",
  "http://localhost.:1/",
  "http://LOCALHOST:1/",
  "http://①②⑦.⓪.⓪.①:1/",
  "http://127。0。0。1:1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://user:pass@127.0.0.1:1/",
  "http://1.1.1.1 &@127.0.0.1#@x/",
  "http:\\\\127.0.0.1:1\\",
  "http:127.0.0.1:1",
  "http://127.0\t.0.1:1/",
  "http://127.0.0.1%00.example.com/",
  "https://127.0.0.1:1/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:1/_x",
  "ftp://127.0.0.1/",
  "data:text/plain,x",
  "javascript:alert(1)",
  "unix:/var/run/docker.sock",
  "http://",
  "//127.0.0.1/",
  "x".repeat(9000),
];

const patterns: readonly string[] = [
  "(a+)+$",
  "(a|a)*b",
  "(a|aa)+$",
  "(.*a){12}b",
  "(x+x+)+y",
  "(a?){50}a{50}b",
  "([a-z]{1,30}){1,30}!!",
  "((a{1,100}){1,100}){1,100}",
  "(".repeat(400),
  "[",
  "*",
  "\\",
  "(?=a)b",
  "(a)\\1",
  "a{1000000}",
  "(?<n>a)\\k<n>",
  "\\p{Nothing}",
  "[z-a]",
  "\0",
  "(?:".repeat(1000),
];

const references: readonly string[] = [
  "--output=marker",
  "-omarker",
  "--upload-pack=touch marker",
  "--exec=touch marker",
  "-c core.pager=touch",
  "HEAD --output=marker",
  "$(touch marker)",
  "`touch marker`",
  "x; touch marker",
  "x && touch marker",
  "x | touch marker",
  "x\ntouch marker",
  "ext::sh -c touch% marker",
  "@{u}",
  "..",
  "HEAD@{99999999}",
  ":/",
  "--",
  "-",
  "\0",
  "a".repeat(5000),
];

const patches: readonly string[] = [
  "",
  "*** Begin Patch",
  "*** Begin Patch\n*** End Patch",
  "*** Begin Patch\n*** Add File: ../data/new.txt\n+x\n*** End Patch",
  "*** Begin Patch\n*** Add File: /tmp/../data-new\n+x\n*** End Patch",
  "*** Begin Patch\n*** Add File: link/new.txt\n+x\n*** End Patch",
  "*** Begin Patch\n*** Update File: ../data/notes.txt\n@@\n-x\n+y\n*** End Patch",
  "*** Begin Patch\n*** Delete File: ../data/notes.txt\n*** End Patch",
  "*** Begin Patch\n*** Add File: .git/hooks/pre-commit\n+touch marker\n*** End Patch",
  "*** Begin Patch\n*** Add File: a\0b\n+x\n*** End Patch",
  "--- a/x\n+++ b/../data/new.txt\n@@ -0,0 +1 @@\n+x\n",
  "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+../data\n",
  "rename from a\nrename to /x\n",
  "@@ -1,1 +1,1 @@\n",
  "*** Begin Patch\n".repeat(2000),
];

/** Commands that nobody approved (B9). */
const commands: readonly string[] = [
  "touch marker",
  "touch\u00a0marker",
  "echo $(touch marker)",
  "rg --pre=sh x",
  "sed -e 'w marker' /etc/hosts",
  "env -S 'touch marker'",
  "echo x\ntouch marker",
  "\u001b[2Jtouch marker",
  "\u202etouch marker",
  "touch marker\0",
  `${"a".repeat(33_000)}; touch marker`,
  "",
];

/** Texts that a terminal would obey, or a reader would not see (B13). */
const sequences: readonly string[] = [
  "\u001b[31mred\u001b[0m",
  "\u001b]0;title\u0007",
  "\u001b]8;;http://x\u001b\\link",
  "\u001bP1$r\u001b\\",
  "\u001b_apc\u001b\\",
  "\u009b31m",
  "\u009d0;x\u009c",
  "\b\b\b",
  "\r",
  "\u007f",
  "\0",
  "\u200b\u200c\u200d",
  "\u2066x\u2069",
  "\udb40\udc41",
  "\ud800",
];

/** Calls with hostile arguments; `data`: the data directory, beside the working one. */
export function hostileCalls(data: string): readonly HostileCall[] {
  const paths = pathsTo(data);
  const file = (operation: string, more: object = {}) =>
    paths.map((filePath) => ({
      tool: "file_operations",
      args: { operation, filePath, path: filePath, ...more },
    }));
  return [
    ...file("read_file"),
    ...file("create_file", { content: "x" }),
    ...file("delete_file"),
    ...file("list_dir"),
    ...urls.map((url) => ({
      tool: "web_operations",
      args: { operation: "fetch_webpage", urls: [url], url },
    })),
    ...patterns.map((query) => ({
      tool: "file_operations",
      args: { operation: "grep_search", query, isRegexp: true },
    })),
    ...patterns.map((query) => ({ tool: "file_operations", args: { operation: "file_search", query } })),
    ...["git_diff", "git_log", "git_branch"].flatMap((operation) =>
      references.map((text) => ({
        tool: "version_control",
        args: { operation, target: text, ref: text, branch: text, name: text },
      })),
    ),
    ...patches.map((patch) => ({ tool: "apply_patch", args: { patch } })),
    ...commands.map((command) => ({
      tool: "terminal_operations",
      args: { operation: "run_command", command, explanation: "x" },
    })),
    ...sequences.map((text) => ({
      tool: "terminal_operations",
      args: { operation: "run_command", command: `echo ${text}`, explanation: text },
    })),
  ];
}

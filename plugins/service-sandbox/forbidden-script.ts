/** What the script is told, as JSON in its first argument. */
export interface ForbiddenFacts {
  /** A folder of the service that nobody inside may read. */
  readonly folder: string;
  /** Where the service listens meanwhile. */
  readonly port: number;
  /** The service, which counts the SIGCONT that reach it. */
  readonly pid: number;
  /** More than the limit allows; 0: there is no limit to try. */
  readonly bytes: number;
}

/**
 * Tries what a plugin must never be able to do, and writes what it could, as a list in JSON. Plain JavaScript
 * for a Node without permissions of its own; harmless where it succeeds.
 */
export const forbiddenScript = `"use strict";
const { readdirSync, rmSync, writeFileSync } = require("node:fs");
const { connect } = require("node:net");
const { spawnSync } = require("node:child_process");
const { folder, port, pid, bytes } = JSON.parse(process.argv[1]);
const could = [];
const attempt = (what, act) => {
  try {
    if (act() !== false) could.push(what);
  } catch {}
};
const writeInto = (place) => () => {
  const file = place + "/pergola-attempt-" + pid;
  writeFileSync(file, "");
  rmSync(file);
};
attempt("read files outside", () => readdirSync(folder));
attempt("write to /", writeInto("/"));
attempt("write to /dev", writeInto("/dev"));
attempt("read /proc", () => readdirSync("/proc"));
attempt("start a program", () => spawnSync(process.execPath, ["--version"]).error === undefined);
if (bytes > 0) attempt("hold more memory than its limit", () => new Uint8Array(bytes).length === bytes);
try { process.kill(pid, "SIGCONT"); } catch {}
const say = () => process.stdout.write(JSON.stringify(could), () => process.exit());
try {
  connect(port, "127.0.0.1")
    .once("connect", () => (could.push("reach the network"), say()))
    .once("error", say);
} catch {
  say();
}
`;

/**
 * The same for system calls, in Perl, which needs no compiler: writes the names of the calls that were not
 * refused. Its arguments are the numbers of ptrace, unshare and mount.
 */
export const forbiddenCallsScript = `
my %refused = map { $_ => 1 } (1, 13, 38);
my ($ptrace, $unshare, $mount) = map { $_ + 0 } @ARGV;
my @calls = (
  ["trace processes", $ptrace, 0, 0, 0, 0],
  ["make namespaces", $unshare, 0x10000000],
  ["mount file systems", $mount, "none", "/none/such", "none", 0, 0],
);
for my $call (@calls) {
  my ($what, $number, @rest) = @$call;
  $! = 0;
  my $answer = @rest == 1 ? syscall($number, $rest[0])
    : @rest == 4 ? syscall($number, $rest[0], $rest[1], $rest[2], $rest[3])
    : syscall($number, $rest[0], $rest[1], $rest[2], $rest[3], $rest[4]);
  print "$what\\n" unless $answer == -1 && $refused{$! + 0};
}
print "tried\\n";
`;

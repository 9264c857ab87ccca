import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { openSandbox } from "../../../plugins/service-sandbox/sandbox.ts";

/** Starts up to a hundred processes in a sandbox for 64, as whoever runs this. */
const folder = mkdtempSync("/tmp/pergola-forks-");
const sandbox = openSandbox({ dataDirectory: folder, preference: () => undefined });
const limits = {
  dataBytes: Infinity,
  fileBytes: Infinity,
  scratchBytes: 2 ** 20,
  processes: 64,
  files: Infinity,
};
const code = `import os, time
started, refused = 0, False
for _ in range(100):
    try:
        if os.fork() == 0: time.sleep(30)
        started += 1
    except OSError:
        refused = True
        break
print('{"started": %d, "refused": %s}' % (started, "true" if refused else "false"), flush=True)
os._exit(0)`;
const line = await sandbox.wrap(
  { kind: "program", read: [], write: [folder], keep: [], network: "none", limits },
  "/usr/bin/python3",
  ["-c", code],
);
const { stdout, stderr } = spawnSync(line.program, line.args, {
  encoding: "utf8",
  env: { PATH: "/usr/bin:/bin" },
});
process.stdout.write(stdout || JSON.stringify({ started: 0, refused: false, stderr }));

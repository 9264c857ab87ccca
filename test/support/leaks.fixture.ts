import { spawn } from "node:child_process";
import { canary } from "./canary.ts";

// What test/faults/canary-watch.test.ts expects a run to fail for.
it("leaks on purpose", (done) => {
  process.stderr.write(`${canary.value}\n`);
  spawn(process.execPath, ["--version"], { env: { KEY: canary.value } }).once("close", () => done());
});

import { spawnSync } from "node:child_process";

/** For `before`: where there is no Python, the tests are left out, and that is said. */
export function needPython(context: Mocha.Context, what: string): void {
  const { status } = spawnSync("python3", ["-c", "import pty, plistlib"], { stdio: "ignore" });
  if (status === 0 || process.env["PERGOLA_REQUIRE_ALL"] === "1") return;
  process.stderr.write(`    ${what} are left out: install the package python3\n`);
  context.skip();
}

// Writes what is generated: docs/api.md, docs/settings.md, docs/errors.md and the table of limits in
// docs/operations.md.
// `--check` only tells whether they are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { apiPage } from "./pages/api-page.ts";
import { errorsPage } from "./pages/errors-page.ts";
import { operationsPage } from "./pages/limits-table.ts";
import { settingsPage } from "./pages/settings-page.ts";

const isCheck = process.argv.includes("--check");
const root = path.resolve(import.meta.dirname, "..");
const pages = {
  "docs/api.md": await apiPage(),
  "docs/errors.md": errorsPage(),
  "docs/operations.md": operationsPage(root),
  "docs/settings.md": settingsPage(root),
};
const stale = Object.entries(pages).filter(([file, text]) => {
  const now = readFileSync(path.join(root, file), { encoding: "utf8", flag: "a+" });
  if (now !== text && !isCheck) writeFileSync(path.join(root, file), text);
  return now !== text;
});
const verdict = isCheck ? "is out of date" : "written";
for (const [file] of stale) console.log(`${file} ${verdict}`);
process.exitCode = Number(isCheck && stale.length > 0);

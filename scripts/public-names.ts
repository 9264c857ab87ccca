// Rewrites the record of the public names of @pergola/sdk, sdk/public-names.json: the names of the release
// that the record was begun with, and what has changed since. A new version in sdk/package.json begins anew.
//   npm run public-names
import { writeFileSync } from "node:fs";
import path from "node:path";
import { nextRecord, readRecord } from "./public-names/record.ts";
import { root } from "./shape/product.ts";

const record = nextRecord(readRecord());
writeFileSync(path.join(root, "sdk/public-names.json"), `${JSON.stringify(record, null, 2)}\n`);
const { added, removed } = record;
console.log(
  `${Object.keys(added).length} added and ${Object.keys(removed).length} removed since the record.`,
);
console.log("Name each of them in CHANGELOG.md under Unreleased.");

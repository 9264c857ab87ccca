import { retrievalQuality } from "./quality.ts";
import { print } from "../report.ts";
const begun = performance.now();
print(await retrievalQuality());
console.log((performance.now() - begun) / 1000);
process.exit(0);

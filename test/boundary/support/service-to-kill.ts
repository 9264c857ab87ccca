import { openPrograms } from "./program-stage.ts";

/** A service that runs a command until it is killed. */
const stage = await openPrograms();
await stage.shell(process.argv[2] ?? "", { timeout: 600 });

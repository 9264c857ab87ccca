import { definePlugin, defineTool } from "@pergola/sdk";
import { checkRemote } from "./operations/check-remote.ts";
import { cleanupRemote } from "./operations/cleanup-remote.ts";
import { executeParallel } from "./operations/execute-parallel.ts";
import { executeRemote } from "./operations/execute-remote.ts";
import { prepareRemote } from "./operations/prepare-remote.ts";
import { retrieveFiles } from "./operations/retrieve-files.ts";
import { transferFiles } from "./operations/transfer-files.ts";

const bareNames = ["execute_remote", "execute_parallel", "prepare_remote", "cleanup_remote", "check_remote"];

export const remoteExecution = defineTool({
  name: "remote_execution",
  description: "Run commands on other machines over SSH.",
  icon: "server",
  aliases: Object.fromEntries(bareNames.map((name) => [name, name])),
  operations: [
    executeRemote,
    executeParallel,
    prepareRemote,
    cleanupRemote,
    checkRemote,
    transferFiles,
    retrieveFiles,
  ],
});

export default definePlugin({ tools: [remoteExecution] });

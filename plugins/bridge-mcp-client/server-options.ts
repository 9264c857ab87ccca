import type { Log, ToolContext } from "@pergola/sdk";
import type { ProgramHost } from "@pergola/sdk/host";
import type { KnownServers } from "./known-servers.ts";
import type { ServerSettings } from "./server-settings.ts";

/** What an MCP server needs of its host. */
export interface ServerOptions {
  readonly settings: ServerSettings;
  readonly known: KnownServers;
  readonly clock: ToolContext["clock"];
  readonly log: Log;
  /** Milliseconds for greeting and listing, each. */
  readonly deadline: number;
  readonly sandbox: ProgramHost["sandbox"];
  readonly note: ProgramHost["note"];
}

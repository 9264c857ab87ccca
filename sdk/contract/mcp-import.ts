import type { JsonObject } from "../util/json.ts";

/** A value that a file of MCP servers leaves to the person, as `${input:id}` (VS Code). */
export interface McpImportInput {
  readonly id: string;
  /** What it is for; its id where the file does not say. */
  readonly description: string;
  /** It is typed unseen, and kept as a secret alone. */
  readonly isSecret: boolean;
  /** Among which to choose; empty: any. */
  readonly options: readonly string[];
  readonly default: string;
}

/** What the person has answered to an input. */
export interface McpImportAnswer {
  readonly value: string;
  readonly isSecret: boolean;
}

/** By the ids of the inputs. */
export type McpImportAnswers = ReadonlyMap<string, McpImportAnswer>;

/** Where the variables of a file get their values. */
export interface McpImportSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly inputs?: McpImportAnswers;
}

/** A server of another program's file, as `mcp.servers` has it. */
export interface ImportedMcpServer {
  /** As the file has it. */
  readonly title: string;
  readonly name: string;
  readonly entry: JsonObject;
  /** Fields of the file that Pergola has no use for. */
  readonly ignored: readonly string[];
}

/** A server that is left out, and why. */
export interface LeftOutMcpServer {
  readonly title: string;
  readonly reason: string;
  /** What the person has to answer before it can be taken over. */
  readonly inputs: readonly McpImportInput[];
}

/** The MCP servers of another program's file. */
export interface McpImport {
  readonly servers: readonly ImportedMcpServer[];
  readonly leftOut: readonly LeftOutMcpServer[];
}

/** What the command `pergola mcp import` uses of the plugin that has the MCP servers. */
export interface McpImporter {
  /** Of a file. */
  readonly limits: { readonly bytes: number };
  /** Throws Error for a text that is no such file. */
  readonly importServers: (text: string, around: McpImportSurroundings) => McpImport;
}

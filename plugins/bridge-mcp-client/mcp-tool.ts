import { createHash } from "node:crypto";
import type { JsonObject } from "@pergola/sdk";
import { canonicalJson } from "@pergola/sdk/host";

/** A tool as its server describes it; all of it is somebody else's word. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: JsonObject;
}

/** What an approval of a description is bound to: each of its bytes. */
export const digestOf = ({ name, description, inputSchema, annotations }: McpTool): string =>
  createHash("sha256").update(canonicalJson({ name, description, inputSchema, annotations })).digest("hex");

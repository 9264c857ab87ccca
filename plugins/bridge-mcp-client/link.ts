import type { JsonObject } from "@pergola/sdk";
import type { McpTool } from "./mcp-tool.ts";

/** One piece of what a tool answers, as the protocol has it. */
export type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | { readonly type: "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
    }
  | {
      readonly type: "resource";
      readonly resource: {
        readonly uri: string;
        readonly mimeType?: string;
        readonly text?: string;
        readonly blob?: string;
      };
    };

export interface CallAnswer {
  readonly content: readonly Content[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
  /** A W3C traceparent, for `_meta`. */
  readonly trace?: string | undefined;
}

/** What a server has beside tools. */
export interface TextKinds {
  readonly resources: boolean;
  readonly prompts: boolean;
}

/** Resources and prompts of a server; a list has what the server says of each, as JSON. */
export interface ServerTexts {
  /** Resources, and behind them templates of addresses. */
  listResources(): Promise<readonly JsonObject[]>;
  readResource(uri: string, signal: AbortSignal): Promise<readonly Content[]>;
  listPrompts(): Promise<readonly JsonObject[]>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly Content[]>;
}

/** A connection to a server that is up. */
export interface Link {
  readonly kinds: TextKinds;
  readonly texts: ServerTexts;
  /** The server has said that its list is another one, or the list was not read yet. */
  readonly stale: boolean;
  /** Why the link was cut; empty while it is not. */
  readonly ending: string;
  list(): Promise<readonly McpTool[]>;
  call(tool: string, args: JsonObject, options: CallOptions): Promise<CallAnswer>;
  close(): Promise<void>;
}

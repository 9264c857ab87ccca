import type { JsonObject, ModelInfo, ProviderPreset, Sampling } from "@pergola/sdk";
import type { ThinkingStyle } from "./build-thinking.ts";
import type { GithubLogin } from "./github/github-login.ts";
import type { RuntimeDetails, RuntimeMemory } from "./runtime-details.ts";

/** The field in which a vendor wants earlier reasoning back, and on which messages. */
export interface Replay {
  readonly field: "reasoning_content" | "reasoning" | "reasoning_details";
  /** `turn`: only since the newest user message. */
  readonly scope: "turn" | "all";
  /** The vendor refuses assistant messages without it; unknown reasoning is sent as "". */
  readonly required?: boolean;
}

/** What tells one vendor of the chat-completions format from another; a row of `presets.ts`. */
export interface Preset extends ProviderPreset {
  readonly type: string;
  /** Stands between the base URL and every path, unless the base URL ends with it. */
  readonly root?: string;
  /** The path that lists models, or a fixed table. */
  readonly listing: string | readonly ModelInfo[];
  /** What the runtime tells of its models beside the listing. */
  readonly details?: RuntimeDetails;
  /** Listed models that neither chat nor embed. */
  readonly unlisted?: RegExp;
  /** Which models the runtime has in memory, and how one is taken out. */
  readonly memory?: RuntimeMemory;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Names of headers whose values are a call's: who asked (`user` or `agent`), and `true` where it holds
   * images.
   */
  readonly callHeaders?: { readonly initiator: string; readonly images: string };
  /** Instead of a key: a login on another device. */
  readonly login?: GithubLogin;
  /**
   * Models that understand the Responses format only; the vendor's listing, where it tells, is believed more.
   */
  readonly responses?: RegExp;
  /** The sampling fields it knows, and their names on the wire. */
  readonly sampling: Readonly<Partial<Record<keyof Sampling, string>>>;
  /** The only `response_format` that it takes; absent: any. */
  readonly formats?: "json_object" | "json_schema";
  /** Models that refuse some of these fields. */
  readonly fixed?: { readonly models: RegExp; readonly fields: readonly (keyof Sampling)[] };
  /** Temperatures outside are moved to the nearer end. */
  readonly temperature?: { readonly least: number; readonly most: number };
  /** The words it takes for `tool_choice`; absent: everything. */
  readonly toolChoices?: readonly string[];
  readonly thinking: ThinkingStyle;
  /** The models that can think; absent: all may. */
  readonly thinkingModels?: RegExp;
  /** `stream_options` is known, and usage comes only when it is asked for. */
  readonly streamOptions: boolean;
  readonly replay?: Replay;
  /** Reasoning may come as the whole text so far instead of its newest piece. */
  readonly snapshots?: boolean;
  readonly images: boolean;
  /** System messages are understood after the beginning too. */
  readonly lateSystem: boolean;
  /** Keys of `ChatMessage.extra` that it knows. */
  readonly messageKeys: readonly string[];
  /** Stands in every body. */
  readonly body?: JsonObject;
  /** Stands in every body that offers tools. */
  readonly toolBody?: JsonObject;
}

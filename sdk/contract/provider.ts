import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { DeviceLogin, ProviderQuota } from "./subscription.ts";
import type { CallerForm, OfferedTool } from "./tool.ts";
import type { Awaitable, Json, JsonObject } from "../util/json.ts";

/** A tool call as a model made it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The JSON text as the model wrote it; `{"input": text}` for a tool that takes free text. */
  readonly arguments: string;
  /** Of a call of a caller's tool that is no plain function to the caller. */
  readonly form?: CallerForm;
}

/** A part of a message that holds more than text. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string; readonly detail?: string } };

/** One message as models see it. `content` is null on an assistant message that only calls tools. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly ContentPart[] | null;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
  readonly name?: string;
  readonly reasoning?: string;
  /** Keys that only some providers know (`cache_control`, `reasoning_blocks` …), handed on as they came. */
  readonly extra?: JsonObject;
}

/** Sampling options of a model call. Absent fields are left to the provider. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly repetitionPenalty?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly stop?: string | readonly string[];
  readonly seed?: number;
  /** Tokens that a local model's context is to hold at least; its own settings are the most. */
  readonly contextSize?: number;
  readonly responseFormat?: Json;
  readonly toolChoice?: Json;
  readonly parallelToolCalls?: boolean;
  readonly user?: string;
}

/** How much a model may reason before it answers. */
export interface Thinking {
  readonly mode: "enabled" | "adaptive" | "disabled";
  readonly budgetTokens?: number;
  readonly effort?: "low" | "medium" | "high";
}

/** One call of a model. `Provider.stream` gets it in this form, whatever the client sent. */
export interface ModelCall {
  /** The name at the provider, without prefix. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly OfferedTool[];
  readonly sampling: Sampling;
  /** Fields of `sampling` that nobody asked for: where they are not taken, there is nothing to warn of. */
  readonly defaultedSampling?: readonly (keyof Sampling)[];
  readonly thinking?: Thinking;
  /**
   * What `sampling.responseFormat` asks for, in words: the host puts them among the messages where that is
   * not enough.
   */
  readonly formatInWords?: string;
  /** The provider's continuation id from an earlier answer. */
  readonly statefulMarker?: string;
  /** Bypass: the caller's body, sent as it is but for the model's name. */
  readonly raw?: JsonObject;
  /** Who asked: `agent` for all but the first call of a run. */
  readonly initiator?: "user" | "agent";
  /** A W3C traceparent to be sent as the header of that name. */
  readonly trace?: string;
}

/** The tokens of one or several model calls. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
}

/** Why a model stopped. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter";

/** What a provider's stream consists of, in order; `end` comes once, last. */
export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** By index; `id` and `name` come once, `arguments` in pieces. */
  | {
      readonly type: "tool_call";
      readonly index: number;
      readonly id?: string;
      readonly name?: string;
      readonly arguments?: string;
    }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "warning"; readonly text: string }
  | { readonly type: "marker"; readonly statefulMarker: string }
  /**
   * For `extra` of this answer's message: what the provider wants to see again when the run goes on
   * (`reasoning_blocks` …).
   */
  | { readonly type: "extra"; readonly extra: JsonObject }
  /** `model`: the one that answered, by the name that the provider gave with the answer. */
  | { readonly type: "end"; readonly reason: FinishReason; readonly model?: string };

/** A model in a provider's list. */
export interface ModelInfo {
  /** The name at the provider, without prefix. */
  readonly id: string;
  readonly kind?: "chat" | "embedding";
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly supportsTools?: boolean;
  readonly supportsVision?: boolean;
  /** It can reason before it answers; undefined where nobody knows. */
  readonly supportsThinking?: boolean;
  /** False for one that takes every message for a request of the person: it is reminded of nothing. */
  readonly takesReminders?: boolean;
  readonly family?: string;
  readonly vendor?: string;
  /** Unix seconds. */
  readonly created?: number;
  /** Length of an embedding model's vectors. */
  readonly dimensions?: number;
  /** An installed model file. */
  readonly file?: { readonly path: string; readonly sizeBytes: number; readonly quantization: string };
}

/** A local model in memory. */
export interface LoadedModel {
  /** The name at the provider, without prefix. */
  readonly id: string;
  /** Tokens of the context that it was loaded with. */
  readonly contextSize?: number;
  /** Bytes of it that are in the memory of a graphics card. */
  readonly gpuBytes?: number;
  /** Milliseconds since 1970: when it is unloaded unless it is used. */
  readonly expiresAt?: number;
}

/** One configured instance of a kind (docs/settings.md, `providers.list`). */
export interface ProviderSettings {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly prefix: string;
  readonly enabled: boolean;
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly models: readonly string[];
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly idleTimeoutSeconds: number;
  readonly extra: JsonObject;
}

/**
 * Sends a request to the provider's own address, or to one of the origins that its kind names, and nowhere
 * else; redirects are refused. `body` is the raw answer, to be read as it comes.
 */
export type ProviderFetch = (
  url: string,
  init: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array;
    readonly signal?: AbortSignal;
  },
) => Promise<ProviderResponse>;

/** The answer to a `ProviderFetch`. */
export interface ProviderResponse {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body as text; at most 10 MiB. */
  text(): Promise<string>;
}

/**
 * What a provider keeps for itself between starts, as the tokens of a device login. Its texts are secrets: no
 * log, answer or export shows them.
 */
export interface ProviderVault {
  get(): Promise<JsonObject | undefined>;
  put(value: JsonObject): Promise<void>;
}

/** What a provider may use of the host. */
export interface ProviderDoor {
  readonly fetch: ProviderFetch;
  readonly log: Log;
  readonly clock: Clock;
  /** Absolute: where the service keeps its data. */
  readonly dataDirectory: string;
  /** The value in force of a preference that is no secret; undefined when there is none of the name. */
  preference(key: string): Json | undefined;
  readonly vault: ProviderVault;
}

/** Vectors of texts, and what the provider counted. */
export interface CountedVectors {
  readonly vectors: readonly Float32Array[];
  /** Tokens of all texts together; undefined where the provider does not tell. */
  readonly promptTokens: number | undefined;
}

/** A source of models. It translates; it does not retry, log, count cost or run tools: the host does. */
export interface Provider {
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /** Why a model of its own is not listed, and what brings it, in whole sentences; undefined: it is none. */
  absence?(model: string): string | undefined;
  /**
   * Rejects with AppError (`provider_error` …) made by `providerFailure`. Ends at once when the signal
   * aborts.
   */
  stream(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Whether it holds the model to the schema of `sampling.responseFormat`; absent: it does. */
  takesFormat?(call: ModelCall): boolean;
  /**
   * Vectors as the model makes them, one for each text; the host brings what it compares to unit length.
   * `trace`: a W3C traceparent to be sent as the header of that name.
   */
  embed?(
    model: string,
    texts: readonly string[],
    signal: AbortSignal,
    trace?: string,
  ): Promise<readonly Float32Array[] | CountedVectors>;
  /** The local models that are in memory at the moment. */
  loaded?(): Awaitable<readonly LoadedModel[]>;
  /** Takes a model out of memory as soon as no call uses it. */
  unload?(model: string): Promise<void>;
  /** Removes an installed model's files. Rejects with `model_not_found`. */
  remove?(model: string): Promise<void>;
  /** Starts a device login, and goes on by itself until the person has entered the code or it has expired. */
  login?(signal: AbortSignal): Promise<DeviceLogin>;
  /** `refresh`: asked for anew, though it may be known. */
  quota?(options: { readonly refresh: boolean }, signal: AbortSignal): Promise<ProviderQuota>;
  close?(): Promise<void>;
}

/** The defaults of one vendor or kind of provider. */
export interface ProviderPreset {
  readonly prefix: string;
  readonly name: string;
  readonly baseUrl?: string;
  /** In the host's process or on this machine: costs nothing and needs no key. */
  readonly isLocal?: boolean;
  readonly needsKey?: boolean;
  /** Stands where prices would, for what is not paid by the token. */
  readonly priceNote?: string;
  /** The variable that customarily holds the key; of several the first that is set. */
  readonly keyVariable?: string | readonly string[];
  /** Listed without any settings; `with-models`: as soon as it has a model. */
  readonly always?: boolean | "with-models";
}

/** A kind of provider; the operator may configure several instances of it. */
export interface ProviderDefinition extends ProviderPreset {
  /** The kind's one spelling, as in `openai` or `custom`. */
  readonly type: string;
  /**
   * Where requests may go beside the base URL, as for a login: origins such as `https://github.com`. Like a
   * base URL, one with http must be on loopback or private. The key belongs to the base URL and is never sent
   * there.
   */
  origins?(settings: ProviderSettings): readonly string[];
  open(settings: ProviderSettings, door: ProviderDoor): Awaitable<Provider>;
}

/** Checks the types of a kind of provider; returns it unchanged. */
export function defineProvider(definition: ProviderDefinition): ProviderDefinition {
  return definition;
}

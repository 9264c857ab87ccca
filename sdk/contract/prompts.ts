import type { McpPrompt } from "./mcp-servers.ts";
import type { Page, PageRange } from "./page.ts";

/** A text that models are given, under a name. */
export interface PromptText {
  /** A UUID; of a prompt of an MCP server its command. */
  readonly id: string;
  readonly name: string;
  /** It comes with the service and never changes. */
  readonly builtIn: boolean;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly modifiedAt: string;
}

/** What a model is told first. */
export interface SystemPrompt extends PromptText {
  readonly description: string;
  readonly content: string;
}

/** An instruction of the person that goes to the newest message. */
export interface MiniPrompt extends PromptText {
  /** Empty where an MCP server gives it when it is used. */
  readonly content: string;
  /** The MCP server's prompt that it is; it cannot be changed. */
  readonly mcp?: McpPrompt;
  /** Where it stands among others, the lowest first. */
  readonly displayOrder: number;
}

/** The categories of personalities, in the order in which they are listed. */
export const personalityCategories = [
  "General",
  "Creative & Writing",
  "Tech",
  "Productivity",
  "Domain Experts",
  "Fun & Character",
  "Custom",
] as const;

/** The traits that a personality may describe. */
export const personalityTraits = ["tone", "formality", "verbosity", "humor", "teachingStyle"] as const;

/** A manner of answering: text that is added to the system prompt. */
export interface Personality extends PromptText {
  readonly description: string;
  readonly category: (typeof personalityCategories)[number];
  readonly instructions: string;
  readonly traits: { readonly [K in (typeof personalityTraits)[number]]?: string };
}

/** What can be said of a text: all but what the service itself keeps. */
export type PromptFields<T extends PromptText> = Partial<Omit<T, Exclude<keyof PromptText, "name">>>;

/** A text that is to be made. */
export type PromptDraft<T extends PromptText> = PromptFields<T> & Pick<PromptText, "name">;

/**
 * Texts of one kind, those that are built in among them. Ids are UUIDs, or words such as `minimal`, without
 * regard to case.
 */
export interface PromptLibrary<T extends PromptText> {
  /** Built-in ones first, then by `displayOrder` where there is one, else by name. Without `limit`, all. */
  list(page?: PageRange): Promise<Page<T>>;
  /** By id, else by name, without regard to case: of several of that name the first of the list. */
  find(idOrName: string): Promise<T | undefined>;
  /** By id. Rejects with `not_found`. */
  get(id: string): Promise<T>;
  /** What is left out gets a default. */
  create(draft: PromptDraft<T>): Promise<T>;
  /** Rejects with `not_found` or `built_in`. */
  update(id: string, changes: PromptFields<T>): Promise<T>;
  /** Whoever still names it falls back to what comes next. Rejects with `not_found` or `built_in`. */
  delete(id: string): Promise<void>;
}

/** System prompts, mini prompts and personalities. */
export interface PromptService {
  readonly system: PromptLibrary<SystemPrompt>;
  readonly mini: PromptLibrary<MiniPrompt>;
  readonly personalities: PromptLibrary<Personality>;
}

import type { CommonOptions, Service } from "../service.ts";

/** A chat at a terminal, which its commands change. */
export interface ChatSession {
  readonly service: Service;
  readonly options: CommonOptions;
  /** Absent until the first answer. */
  conversation: string | undefined;
  model: string;
}

/** A line that begins with a slash is for the chat itself, not for the model. */
export interface ChatCommand {
  /** Its name and other names of it, without the slash. */
  readonly names: readonly [string, ...string[]];
  /** What follows the name. */
  readonly usage?: string;
  readonly summary: string;
  /** `quit` ends the chat. Throws AppError, which is shown. */
  run(session: ChatSession, words: string): Promise<"quit" | undefined>;
}

import type { AgentContext, SessionUpdate, ClientCapabilities } from "@agentclientprotocol/sdk";
import type { ClientTools } from "./client-tools.ts";
import type { Choices } from "./config-options.ts";
import type { Service } from "./service.ts";

/** The editor, and the service behind the bridge. */
export interface Ends {
  readonly client: AgentContext;
  readonly service: Service;
  readonly capabilities: ClientCapabilities;
}

/** A conversation that an editor has opened. */
export interface Session {
  /** The conversation's id. */
  readonly id: string;
  readonly directory: string;
  /** It was begun here, not opened again. */
  readonly isNew: boolean;
  readonly tools: ClientTools;
  choices: Choices;
  /** Those that are stored with the conversation. */
  remembered: Choices;
  /** The ids of the summaries that the editor knows of. */
  readonly compactions: Set<string>;
  /** The commands that the editor was told last, as JSON. */
  toldCommands: string;
  /** Each cancels a prompt that is being answered, and resolves when the service knows. */
  readonly cancels: Set<() => Promise<void>>;
}

/** Cancels what a session works on; resolves when the service knows. */
export async function cancel({ cancels }: Session): Promise<void> {
  await Promise.all([...cancels].map((one) => one()));
}

export const tell = ({ client }: Ends, { id }: Pick<Session, "id">, update: SessionUpdate): Promise<void> =>
  client.notify("session/update", { sessionId: id, update });

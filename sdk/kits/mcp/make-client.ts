import type * as protocolTypes from "@modelcontextprotocol/client";
import type { Client } from "@modelcontextprotocol/client";
import type { Mode } from "./in-either-era.ts";
import type { Inquiry, InquiryAnswer } from "./inquiry.ts";

interface ClientOptions {
  /** Pergola's. */
  readonly version: string;
  readonly mode: Mode;
  /** Milliseconds for a server to say which revision it speaks. */
  readonly silence: number;
  /** Answers what the server wants to know from the person. */
  readonly ask: (inquiry: Inquiry) => Promise<InquiryAnswer>;
}

/** A client whose person can be asked; it is not connected yet. */
export function makeClient(
  protocol: Pick<typeof protocolTypes, "Client">,
  { version, mode, silence, ask }: ClientOptions,
): Client {
  const client = new protocol.Client(
    { name: "pergola", version },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode, probe: { timeoutMs: silence } },
    },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => ({
    ...(await ask(params as unknown as Inquiry)),
  }));
  return client;
}

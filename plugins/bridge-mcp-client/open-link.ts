import type * as protocolTypes from "@modelcontextprotocol/client";
import type { Client } from "@modelcontextprotocol/client";
import { inEitherEra, type Mode } from "@pergola/kit-mcp";
import { ToolError } from "@pergola/sdk";
import { withDeadline, type Sandbox } from "@pergola/sdk/host";
import { ClientLink, type Line } from "./client-link.ts";
import { openHttpTransport } from "./http-transport.ts";
import type { Inquiry, InquiryAnswer, Link } from "./link.ts";
import packageJson from "./package.json" with { type: "json" };
import type { ServerSettings } from "./server-settings.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { shortened } from "./visible.ts";

export interface LinkOptions {
  /** Milliseconds for the handshake, and for a listing. */
  readonly deadline: number;
  readonly ask: (inquiry: Inquiry) => Promise<InquiryAnswer>;
  readonly sandbox: () => Promise<Sandbox>;
  readonly signIn: SignIn;
  /** The server says that its list of tools is another one. */
  readonly outdated: () => void;
  /** The link is cut. */
  readonly closed: () => void;
}

type Protocol = typeof protocolTypes;

/** Milliseconds to say goodbye. */
const farewell = 500;
/** Programs that speak only revisions up to 2025-11-25; they are not asked again what they speak. */
const older = new WeakSet<ServerSettings>();

/**
 * Connects to a server and finds out which revision it speaks, within the deadline. The protocol's package is
 * loaded here, with the first server that is used.
 */
export async function openLink(settings: ServerSettings, options: LinkOptions): Promise<Link> {
  const protocol = await import("@modelcontextprotocol/client");
  if (older.has(settings)) return open(protocol, settings, options, "legacy");
  return inEitherEra(protocol, (mode) => open(protocol, settings, options, mode));
}

/** What went wrong, without what the package says of its own steps. */
const wordsOf = (error: Error): string => (ToolError.is(error.cause) ? error.cause.message : error.message);

/** Half of the time is left for the handshake of a program that ignores what it does not know. */
const probeTime = ({ url }: ServerSettings, deadline: number): number =>
  url === undefined ? deadline / 2 : deadline;

async function open(
  protocol: Protocol,
  settings: ServerSettings,
  options: LinkOptions,
  mode: Mode,
): Promise<Link> {
  const { deadline, ask, outdated, closed } = options;
  const client = new protocol.Client(
    { name: "pergola", version: packageJson.version },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode, probe: { timeoutMs: probeTime(settings, deadline) } },
    },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => ({
    ...(await ask(params as unknown as Inquiry)),
  }));
  client.onerror = () => undefined;
  const line =
    settings.url === undefined
      ? stdioLine(client, protocol, settings, options)
      : await httpLine(client, settings, options);
  const link = new ClientLink(client, protocol, deadline, line);
  const late = (): Error => new Error(`It did not answer within ${deadline / 1000} s.`);
  try {
    await withDeadline(link.connect(outdated, closed), deadline, late);
  } catch (error) {
    await link.close();
    throw new Error(link.ending || shortened(wordsOf(error as Error), 300), { cause: error });
  }
  if (settings.url === undefined && client.getProtocolEra() === "legacy") older.add(settings);
  return link;
}

function stdioLine(
  client: Client,
  { deserializeMessage }: Protocol,
  settings: ServerSettings,
  { deadline, sandbox }: LinkOptions,
): Line {
  const transport = new StdioTransport(settings, sandbox, deserializeMessage);
  return {
    connect: () => client.connect(transport, { timeout: deadline }),
    ending: () => transport.ending,
    close: () => transport.close(),
  };
}

async function httpLine(
  client: Client,
  settings: ServerSettings,
  { deadline, signIn }: LinkOptions,
): Promise<Line> {
  const transport = await openHttpTransport(settings, signIn);
  return {
    connect: () => client.connect(transport, { timeout: deadline }),
    ending: () => "",
    close: async () => {
      await withDeadline(transport.terminateSession(), farewell, () => new Error("late")).catch(
        () => undefined,
      );
      await transport.close();
    },
  };
}

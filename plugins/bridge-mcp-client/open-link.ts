import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type * as protocolTypes from "@modelcontextprotocol/sdk/types.js";
import type { Progress, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { JsonObject } from "@pergola/sdk";
import { withDeadline, type Sandbox } from "@pergola/sdk/host";
import { openHttpTransport } from "./http-transport.ts";
import type {
  CallAnswer,
  CallOptions,
  Inquiry,
  InquiryAnswer,
  Link,
  ServerTexts,
  TextKinds,
} from "./link.ts";
import { listPages } from "./list-pages.ts";
import type { McpTool } from "./mcp-tool.ts";
import packageJson from "./package.json" with { type: "json" };
import type { ServerSettings } from "./server-settings.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import { textsOf } from "./server-texts.ts";
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

/** Lines of progress that are shown of one call. */
const mostProgress = 500;
/** The host limits the time of a call; the protocol's own clock is not needed. */
const unlimited = 2 ** 31 - 1;
/** Milliseconds to say goodbye. */
const farewell = 500;

/**
 * Connects to a server and greets it, within the deadline. The protocol's package is loaded here, with the
 * first server that is used.
 */
export async function openLink(settings: ServerSettings, options: LinkOptions): Promise<Link> {
  const [{ Client }, protocol] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const client = new Client(
    { name: "pergola", version: packageJson.version },
    { capabilities: { elicitation: { form: {} } } },
  );
  const link =
    settings.url === undefined
      ? stdioLink(client, protocol, settings, options)
      : await httpLink(client, protocol, settings, options);
  client.setRequestHandler(protocol.ElicitRequestSchema, async ({ params }) => ({
    ...(await options.ask(params as unknown as Inquiry)),
  }));
  client.setNotificationHandler(protocol.ToolListChangedNotificationSchema, () => {
    link.outdate();
    options.outdated();
  });
  client.onclose = options.closed;
  client.onerror = () => undefined;
  try {
    await withDeadline(
      link.connect(),
      options.deadline,
      () => new Error(`It did not answer within ${options.deadline / 1000} s.`),
    );
    return link;
  } catch (error) {
    await link.close();
    throw new Error(link.ending || shortened((error as Error).message, 300), { cause: error });
  }
}

function stdioLink(
  client: Client,
  protocol: Protocol,
  settings: ServerSettings,
  { deadline, sandbox }: LinkOptions,
): ClientLink {
  const parse = (line: string) => protocol.JSONRPCMessageSchema.parse(JSON.parse(line));
  const transport = new StdioTransport(settings, sandbox, parse);
  return new ClientLink(client, protocol, deadline, {
    connect: () => client.connect(transport, { timeout: deadline }),
    ending: () => transport.ending,
    close: () => transport.close(),
  });
}

async function httpLink(
  client: Client,
  protocol: Protocol,
  settings: ServerSettings,
  { deadline, signIn }: LinkOptions,
): Promise<ClientLink> {
  const transport = await openHttpTransport(settings, signIn);
  return new ClientLink(client, protocol, deadline, {
    connect: () => client.connect(transport, { timeout: deadline }),
    ending: () => "",
    close: async () => {
      await withDeadline(transport.terminateSession(), farewell, () => new Error("late")).catch(
        () => undefined,
      );
      await transport.close();
    },
  });
}

interface Line {
  connect(): Promise<void>;
  ending(): string;
  close(): Promise<void>;
}

class ClientLink implements Link {
  stale = true;
  readonly #client: Client;
  readonly #protocol: Protocol;
  readonly #deadline: number;
  readonly #line: Line;

  constructor(client: Client, protocol: Protocol, deadline: number, line: Line) {
    this.#client = client;
    this.#protocol = protocol;
    this.#deadline = deadline;
    this.#line = line;
  }

  get kinds(): TextKinds {
    const { resources, prompts } = this.#client.getServerCapabilities() ?? {};
    return { resources: resources !== undefined, prompts: prompts !== undefined };
  }

  get texts(): ServerTexts {
    return textsOf(this.#client, this.#protocol, this.#deadline);
  }

  get ending(): string {
    return this.#line.ending();
  }

  outdate(): void {
    this.stale = true;
  }

  connect(): Promise<void> {
    return this.#line.connect();
  }

  list(): Promise<readonly McpTool[]> {
    this.stale = false;
    const late = (): Error => new Error(`It did not list its tools within ${this.#deadline / 1000} s.`);
    return withDeadline(this.#list(), this.#deadline, late).catch((error: unknown) => {
      this.stale = true;
      throw error;
    });
  }

  async call(name: string, args: JsonObject, { signal, progress, trace }: CallOptions): Promise<CallAnswer> {
    const request = {
      method: "tools/call" as const,
      params: { name, arguments: { ...args }, ...(trace && { _meta: { traceparent: trace } }) },
    };
    let left = mostProgress;
    const onprogress = ({ progress: done, total, message = "" }: Progress): void => {
      if (left-- > 0)
        progress(shortened(`${done}${total === undefined ? "" : ` of ${total}`} ${message}`, 200));
    };
    const options = { signal, timeout: unlimited, onprogress };
    return await this.#client.request(request, this.#protocol.CallToolResultSchema, options);
  }

  async close(): Promise<void> {
    this.#client.onclose = undefined;
    await this.#line.close();
  }

  #list(): Promise<readonly McpTool[]> {
    return listPages(async (params) => {
      const request = { method: "tools/list" as const, params };
      const { tools, nextCursor } = await this.#client.request(
        request,
        this.#protocol.ListToolsResultSchema,
        {
          timeout: this.#deadline,
        },
      );
      return { items: tools.map(toolOf), ...(nextCursor !== undefined && { next: nextCursor }) };
    });
  }
}

const toolOf = ({ name, description = "", inputSchema, annotations = {} }: Tool): McpTool => ({
  name,
  description,
  inputSchema: inputSchema as JsonObject,
  annotations: annotations,
});

import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import type { Stage } from "./host.ts";
import { calling, openLab, outcomesOf, play, saying, type Outcome } from "./lab-stage.ts";
import { openOAuthMcpServer, type OAuthMcpServer } from "./oauth-mcp-server.ts";

export interface Server {
  readonly state: string;
  readonly lastError: string | null;
  readonly signInUrl: string | null;
  readonly signedIn: boolean;
  readonly secrets: readonly string[];
  readonly tools: readonly { readonly name: string }[];
}

/** Of a clock that tests put forward. */
export const hour = 3_600_000;

/** A host, an MCP server that asks for a sign-in, and a browser. */
export class SignInScene {
  readonly folder = temporaryFolder();
  /** Milliseconds by which the host's clock is ahead. */
  ahead = 0;
  #stage: Stage | undefined;
  readonly remote: OAuthMcpServer;

  constructor(remote: OAuthMcpServer) {
    this.remote = remote;
  }

  static async open(): Promise<SignInScene> {
    const scene = new SignInScene(await openOAuthMcpServer());
    await scene.start();
    return scene;
  }

  get stage(): Stage {
    return this.#stage!;
  }

  /** Starts the host, again if it is at work. */
  async start(settings: object = {}): Promise<void> {
    await this.#stage?.end();
    this.#stage = await openLab([], {
      dataDirectory: this.folder,
      clock: { now: () => Date.now() + this.ahead },
      settings: { storage: { type: "sqlite" }, "secrets.store": "file", ...settings },
    });
  }

  async end(): Promise<void> {
    await this.#stage?.end();
    this.remote.close();
  }

  async ask(method: string, route: string, body?: object): Promise<Server> {
    return (await this.stage.host.json<Server>(method, `/api/mcp/servers${route}`, body)).body;
  }

  /** Adds the server under the name wiki. */
  add(more: object = {}): Promise<Server> {
    return this.ask("POST", "", { name: "wiki", url: this.remote.url, effects: { who: "read" }, ...more });
  }

  check(): Promise<Server> {
    return this.ask("POST", "/wiki/check");
  }

  async shown(): Promise<Server | undefined> {
    const { body } = await this.stage.host.json<{ servers: readonly Server[] }>("GET", "/api/mcp/servers");
    return body.servers[0];
  }

  /** Follows a link to sign in up to the address to which the browser is sent back. */
  async visit(link: string | null): Promise<URL> {
    const { headers, status } = await fetch(link ?? "", { redirect: "manual" });
    expect(status).to.equal(302);
    return new URL(headers.get("location") ?? "");
  }

  /** As a browser does that another site sends here; `fetch` would not send these headers. */
  async page(url: URL) {
    const headers = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    const [answer] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
  }

  async signIn() {
    return this.page(await this.visit((await this.check()).signInUrl));
  }

  /** What a model gets that calls the server. */
  async call(): Promise<Outcome | undefined> {
    const { body } = await play(this.stage, [
      calling({ name: "mcp_wiki", arguments: { operation: "who" } }),
      saying("Done."),
    ]);
    return (await outcomesOf(this.stage.host, body.service_metadata.conversation_id))[0];
  }

  storedTexts(): string {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1"))
      .join("\n");
  }
}

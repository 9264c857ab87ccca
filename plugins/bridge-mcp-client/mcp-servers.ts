import { isDeepStrictEqual } from "node:util";
import { AppError, KeyedQueue, messageOf, type Caller, type JsonObject } from "@pergola/sdk";
import type {
  McpServerChange,
  McpServerReview,
  McpServerService,
  McpServerStatus,
  McpSignInReturn,
  McpSignInStart,
  Parts,
} from "@pergola/sdk/host";
import { sameLaunch } from "./compare.ts";
import { serverOf } from "./family-of.ts";
import { KnownServers } from "./known-servers.ts";
import { McpServer } from "./mcp-server.ts";
import { ServerPrompts } from "./prompts/server-prompts.ts";
import { oauthFetch } from "./sign-in/oauth-fetch.ts";
import { sessionName, SessionStore } from "./sign-in/session-store.ts";
import { launchOf, type ServerSettings } from "./server-settings.ts";
import { approvedDigest, disabledStatus, entryStatus, serverStatus, shownDigest } from "./server-status.ts";
import { settingKey, StoredServers, type Settings } from "./stored-servers.ts";

/** The servers of the settings as they are now; the tools of models are those of the start. */
export class McpServers implements McpServerService {
  readonly prompts = new ServerPrompts({
    names: () => Object.keys(this.#settings),
    find: (name) => this.#find(name),
  });
  readonly #parts: Parts;
  readonly #stored: StoredServers;
  readonly #known: KnownServers;
  readonly #servers = new Map<string, McpServer>();
  /** Of what was approved when the tools of models were collected. */
  readonly #atStart = new Map<string, { readonly server: McpServer; readonly digest: string | null }>();
  readonly #turns = new KeyedQueue();
  readonly #listeners: (() => void)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#stored = new StoredServers(parts);
    this.#known = new KnownServers(parts.preferences.get<string>("mcp.path"));
    for (const { tool } of parts.registered.tools) {
      const server = serverOf(tool);
      if (server === undefined) continue;
      this.#atStart.set(server.name, { server, digest: approvedDigest(server) });
      void this.#take(server);
    }
    parts.preferences.watch((keys) => {
      if (keys.includes(settingKey)) void this.list().then(() => this.#tell());
    });
  }

  async stop(): Promise<void> {
    await Promise.allSettled([...this.#servers.values()].map((server) => server.end()));
  }

  watch(changed: () => void): void {
    this.#listeners.push(changed);
  }

  async list(caller?: Caller): Promise<readonly McpServerStatus[]> {
    const servers = await this.#list();
    if (caller?.scopes.includes("admin") === true) return servers;
    return servers.map((server) => ({ ...server, signInUrl: null }));
  }

  #list(): Promise<readonly McpServerStatus[]> {
    return this.#turns.run("servers", async () => {
      const settings = this.#settings;
      for (const name of this.#servers.keys()) if (settings[name] === undefined) await this.#drop(name);
      return Promise.all(Object.keys(settings).map((name) => this.#status(name)));
    });
  }

  async restartRequired(): Promise<boolean> {
    const servers = await this.list();
    const isGone = [...this.#atStart.keys()].some((name) => servers.every((server) => server.name !== name));
    return isGone || servers.some((server) => server.restartRequired);
  }

  add(name: string, entry: McpServerChange, caller: Caller): Promise<McpServerStatus> {
    return this.#turns.run("servers", async () => {
      if (this.#settings[name] !== undefined)
        throw new AppError({ code: "id_taken", message: `There is an MCP server "${name}" already.` });
      await this.#stored.put(name, entry, caller);
      return this.#status(name);
    });
  }

  change(name: string, change: McpServerChange, caller: Caller): Promise<McpServerStatus> {
    return this.#turns.run("servers", async () => {
      const before = this.#entry(name);
      await this.#stored.put(name, change, caller);
      const known = await this.#known.read(name);
      const after = this.#entry(name);
      // Who changed the entry here wants it as it is now; what it offers then is another matter.
      if (known !== undefined && sameLaunch(known.launch, launchOf(before)))
        await this.#known.write(name, { ...known, launch: launchOf(after) });
      return this.#status(name);
    });
  }

  remove(name: string, caller: Caller): Promise<void> {
    return this.#turns.run("servers", async () => {
      const server = await this.#find(name);
      await this.#stored.remove(name, caller);
      await this.#forget(server);
      await this.#parts.secrets?.delete(sessionName(name));
      await this.#drop(name);
      await this.#known.forget(name);
    });
  }

  check(name: string, signal: AbortSignal, start?: McpSignInStart): Promise<McpServerStatus> {
    return this.#turns.run(`server ${name}`, async () => {
      const server = await this.#find(name);
      if (server !== undefined) await this.#check(server, signal, start);
      return this.#status(name);
    });
  }

  async signIn({ state, ...answer }: McpSignInReturn, signal: AbortSignal): Promise<McpServerStatus> {
    const server = [...this.#servers.values()].find(({ signIn }) => signIn.starterOf(state) !== undefined);
    const caller = server?.signIn.starterOf(state);
    const finish = server?.signIn.take(state);
    if (server === undefined || caller === undefined || finish === undefined) throw unknownSignIn;
    const { name } = server;
    const note = (outcome: string) =>
      this.#parts.access?.record({ action: "mcp_server.sign_in", target: name, outcome, caller });
    return this.#turns.run(`server ${name}`, async () => {
      try {
        await finish(answer);
      } catch (cause) {
        note("failed");
        this.#tell();
        throw new AppError({ code: "invalid_value", message: messageOf(cause), cause });
      }
      note("signed in");
      await server.reconnect();
      await this.#check(server, signal);
      return this.#status(name);
    });
  }

  signOut(name: string, caller: Caller): Promise<McpServerStatus> {
    return this.#turns.run(`server ${name}`, async () => {
      const server = await this.#find(name);
      const outcome = await this.#forget(server);
      await server?.reconnect();
      this.#parts.access?.record({ action: "mcp_server.sign_in", target: name, outcome, caller });
      this.#tell();
      return this.#status(name);
    });
  }

  /** Gives up a sign-in, and says how far. */
  async #forget(server: McpServer | undefined): Promise<string> {
    const reason = await server?.signIn.forget();
    if (reason === undefined) return "signed out";
    this.#parts.log.warn({ server: server?.name, reason }, "an issuer did not take its tokens back");
    return "signed out here alone: the issuer did not take the tokens back";
  }

  async #check(server: McpServer, signal: AbortSignal, start?: McpSignInStart): Promise<void> {
    await server.inspect(signal);
    if (start === undefined || !server.signIn.isNeeded) return;
    await server.signIn.begin(start);
    this.#tell();
  }

  review(
    name: string,
    { digest, approved }: McpServerReview,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<McpServerStatus> {
    return this.#turns.run(`server ${name}`, async () => {
      const server = await this.#find(name);
      if (server?.known === undefined) throw otherDigest(name, "It was not met yet: check it first.");
      const what = server.isLaunchApproved ? "tools" : "launch";
      await server.inspect(signal);
      if (server.lastError !== "") throw otherDigest(name, `It cannot be used: ${server.lastError}`);
      if (shownDigest(server) !== digest) throw otherDigest(name, "Look at it again.");
      const outcome = approved ? "approved" : "refused";
      this.#parts.access?.record({ action: "mcp_server.review", target: name, outcome, caller });
      if (approved) await server.approve(what);
      // Only now may its command be started.
      if (approved && what === "launch") await server.inspect(signal);
      return this.#status(name);
    });
  }

  get #settings(): Settings {
    return this.#stored.settings;
  }

  #entry(name: string): ServerSettings {
    const entry = this.#settings[name];
    if (entry !== undefined) return entry;
    throw new AppError({
      code: "not_found",
      message: `There is no MCP server "${name}". GET /api/mcp/servers lists them.`,
    });
  }

  /** The server as it is set now; undefined while it is switched off. Rejects with `not_found`. */
  #find(name: string): Promise<McpServer | undefined> {
    return this.#turns.run("find", async () => {
      const settings = this.#entry(name);
      const found = this.#servers.get(name);
      if (found !== undefined && isDeepStrictEqual(found.settings, settings)) return found;
      await this.#drop(name);
      if (settings.enabled === false) return undefined;
      const server = this.#open(name, settings);
      await server.load();
      await this.#take(server);
      return server;
    });
  }

  #open(name: string, settings: ServerSettings): McpServer {
    const { preferences, clock, log, sandbox, access } = this.#parts;
    return new McpServer(name, {
      settings,
      known: this.#known,
      clock,
      log,
      deadline: preferences.get<number>("mcp.connect_seconds") * 1000,
      sandbox: async () => sandbox,
      note: (fact) => access?.note(fact),
    });
  }

  #take(server: McpServer): Promise<void> {
    this.#servers.set(server.name, server);
    server.watch(() => this.#tell());
    return this.#attach(server);
  }

  /** From now on the server can use the tokens of a sign-in, and asks for them through the host's door. */
  #attach({ name, settings: { url = "" }, signIn }: McpServer): Promise<void> {
    const { secrets, dataDirectory, clock, preferences } = this.#parts;
    const learn = (values: Iterable<string>): void => this.#parts.learnSecrets(values);
    const origin = URL.canParse(url) ? new URL(url).origin : "";
    // The doors are there once all parts are made.
    const doors = () => this.#parts.doors;
    return signIn.attach({
      store: secrets && new SessionStore({ name, url }, secrets, learn),
      fetch: oauthFetch({ doors, dataDirectory, origin }),
      now: () => clock.now(),
      clientMetadataUrl: () => preferences.get<string>("mcp.client_metadata_url"),
    });
  }

  /** Its entry is gone or another one: nothing of it runs on. */
  async #drop(name: string): Promise<void> {
    const server = this.#servers.get(name);
    this.#servers.delete(name);
    await server?.retire("Its entry in mcp.servers has changed since the start.");
  }

  async #status(name: string): Promise<McpServerStatus> {
    const server = await this.#find(name);
    const settings = this.#entry(name);
    const status = {
      ...entryStatus(name, settings),
      sandbox: settings.sandbox === true && settings.url === undefined ? await this.#walls() : null,
      ...(server === undefined ? disabledStatus(settings) : serverStatus(server)),
      fixed: this.#stored.isFixed,
      restartRequired: this.#needsRestart(name, server),
    };
    return this.#parts.redactJson(status as unknown as JsonObject) as unknown as McpServerStatus;
  }

  async #walls(): Promise<string | null> {
    const state = await this.#parts.sandbox.state("program");
    return state.works ? state.by : null;
  }

  #needsRestart(name: string, server: McpServer | undefined): boolean {
    const start = this.#atStart.get(name);
    if (server === undefined || start === undefined) return server !== start?.server;
    return server !== start.server || approvedDigest(server) !== start.digest;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const unknownSignIn = new AppError({
  code: "invalid_value",
  message:
    "This sign-in is unknown, too old, or was used already. Go back to Pergola, and check the server again.",
});

const otherDigest = (name: string, why: string): AppError =>
  new AppError({ code: "digest_changed", message: `"${name}" is not what was shown. ${why}` });

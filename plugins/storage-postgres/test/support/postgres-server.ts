import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { randomUUID } from "node:crypto";

const versions = "/usr/lib/postgresql";

/** A disk in memory makes each sync of a test free; it has to have room for several servers. */
const memory = "/dev/shm";

function parentFolder(): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 ** 30 ? memory : tmpdir();
}

/** The folder of the newest server's programs; undefined where none is installed. */
export function serverPrograms(): string | undefined {
  if (!existsSync(versions)) return undefined;
  const newest = readdirSync(versions).toSorted((a, b) => Number(b) - Number(a))[0];
  const folder = path.join(versions, newest ?? "", "bin");
  return existsSync(path.join(folder, "initdb")) ? folder : undefined;
}

/** Skips where PostgreSQL is missing, naming its Debian package. */
export function needsPostgres(this: Mocha.Context): void {
  if (serverPrograms() !== undefined) return;
  process.stdout.write("skipped: missing (Debian: postgresql)\n");
  this.skip();
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package makes. */
function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** A server of its own, with nobody else's data, on a socket in its own folder. */
export class PostgresServer {
  readonly folder: string;
  readonly #programs: string;
  readonly #options: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(programs: string, options: readonly string[]) {
    this.#programs = programs;
    this.#options = options;
    this.folder = mkdtempSync(path.join(parentFolder(), "pergola-postgres-"));
  }

  /** `options` are settings of the server, as `max_connections=10`. */
  static async start(options: readonly string[] = []): Promise<PostgresServer> {
    const programs = serverPrograms();
    if (programs === undefined) throw new Error("PostgreSQL is not installed.");
    const server = new PostgresServer(programs, options);
    const { uid, gid } = account();
    if (uid !== undefined && gid !== undefined) chownSync(server.folder, uid, gid);
    chmodSync(server.folder, 0o700);
    server.#run("initdb", [
      "--no-sync",
      "--auth=trust",
      "--username=pergola",
      "--encoding=UTF8",
      "--locale=C",
    ]);
    await server.begin();
    process.once("exit", () => server.#remove());
    return server;
  }

  get data(): string {
    return path.join(this.folder, "data");
  }

  /** Of its first process, whose children are the others. */
  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  #run(program: string, words: readonly string[]): void {
    const file = path.join(this.#programs, program);
    execFileSync(file, ["-D", this.data, ...words], { ...account(), cwd: "/", stdio: "pipe" });
  }

  /** Starts the server on the data that it has. */
  async begin(): Promise<void> {
    const settings = [
      "fsync=on",
      "listen_addresses=",
      `unix_socket_directories=${this.folder}`,
      ...this.#options,
    ];
    const words = ["-D", this.data, ...settings.flatMap((setting) => ["-c", setting])];
    this.#process = spawn(path.join(this.#programs, "postgres"), words, {
      ...account(),
      cwd: "/",
      stdio: "ignore",
    });
    this.#process.unref();
    while (!(await this.#answers())) if (this.#process.exitCode !== null) throw new Error("postgres ended");
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url("postgres") });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return false;
    }
  }

  url(database = "postgres"): string {
    return `postgres://pergola@/${database}?host=${encodeURIComponent(this.folder)}`;
  }

  /** The storage settings for a schema that nobody has used yet. */
  settings(more: object = {}): { readonly type: "postgres"; readonly url: string; readonly schema: string } {
    return { type: "postgres", url: this.url(), schema: `s${randomUUID().replaceAll("-", "")}`, ...more };
  }

  async query<T extends object>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    const client = new pg.Client({ connectionString: this.url() });
    await client.connect();
    try {
      return (await client.query<T & pg.QueryResultRow>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends the connections of all hosts. */
  async endConnections(): Promise<void> {
    const hosts = "FROM pg_stat_activity WHERE application_name LIKE 'pergola %'";
    await this.query(`SELECT pg_terminate_backend(pid) ${hosts}`);
  }

  /** Ends it: SIGINT as an administrator would, SIGQUIT as a crash does. */
  async end(signal: "SIGINT" | "SIGQUIT" = "SIGINT"): Promise<void> {
    const { exitCode, signalCode } = this.#process ?? {};
    if (this.#process === undefined || exitCode !== null || signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process?.once("exit", resolve));
    this.#process.ref();
    this.#process.kill(signal);
    await ended;
  }

  async stop(): Promise<void> {
    await this.end("SIGQUIT");
    this.#remove();
  }

  #remove(): void {
    this.#process?.kill("SIGQUIT");
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

let shared: Promise<PostgresServer> | undefined;

/** One server for all tests of a process; it ends with the process. */
export const sharedServer = (): Promise<PostgresServer> => (shared ??= PostgresServer.start());

import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

/**
 * PostgreSQL with pgvector, compiled to WebAssembly: Debian's release has no package of it. Its connections
 * take turns in one backend with one search path, so that it stands for one host and one schema.
 */
export class VectorServer {
  readonly #database: PGlite;
  readonly #server: PGLiteSocketServer;
  readonly #port: number;

  private constructor(database: PGlite, server: PGLiteSocketServer, port: number) {
    this.#database = database;
    this.#server = server;
    this.#port = port;
  }

  static async start(): Promise<VectorServer> {
    const database = await PGlite.create({ extensions: { vector } });
    const port = await freePort();
    const server = new PGLiteSocketServer({ db: database, host: "127.0.0.1", port, maxConnections: 50 });
    await server.start();
    return new VectorServer(database, server, port);
  }

  get settings(): { readonly url: string; readonly schema: string } {
    return { url: `postgres://postgres@127.0.0.1:${this.#port}/postgres`, schema: "public" };
  }

  async query<T extends object>(text: string): Promise<readonly T[]> {
    return (await this.#database.exec(text)).at(-1)?.rows as T[];
  }

  async end(): Promise<void> {
    await this.#server.stop();
    await this.#database.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

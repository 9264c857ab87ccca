import { lockDirectory } from "@pergola/kit-storage/directory";
import type { WorkerReply } from "@pergola/kit-worker";
import type { LogMessage, Request, WorkerOptions } from "../messages.ts";
import { checkFile } from "./check-file.ts";
import { closeToOthers } from "./close-to-others.ts";
import { Connection, openDatabase } from "./connection.ts";
import { failureOf } from "./failure-of.ts";
import { holdDatabase, refuseIfHeld, releaseDatabase } from "./hold-database.ts";
import { migrate } from "./migrate.ts";
import { refusedBy } from "./refused.ts";
import { releaseBytes } from "./release-bytes.ts";
import { runBatch } from "./run-batch.ts";
import { addVectorDistance } from "./vector-distance.ts";

/**
 * The store as the worker sees it: the lock of the data directory, and a connection that is opened anew after
 * a fault of the disk.
 */
export class Engine {
  readonly #options: WorkerOptions;
  readonly #log: (message: LogMessage) => void;
  readonly #unlock: () => void;
  #connection: Connection | undefined;

  /** Throws Refused, after which nothing is held and nothing was changed. */
  constructor(options: WorkerOptions, log: (message: LogMessage) => void) {
    this.#options = options;
    this.#log = log;
    this.#unlock = lockDirectory(options.dataDirectory);
    try {
      checkFile(options.file, (message) => log({ level: "warn", fields: { file: options.file }, message }));
      closeToOthers(options.file);
      this.#connection = this.#connect();
    } catch (error) {
      this.#unlock();
      throw refusedBy(error, options.file);
    }
  }

  run(requests: readonly Request[]): readonly WorkerReply[] {
    try {
      this.#connection ??= this.#connect();
    } catch (error) {
      const fault = { ...failureOf(error), code: "storage_unavailable" };
      return requests.map(({ id }) => ({ id, fault }));
    }
    const { replies, broken } = runBatch(this.#connection, requests);
    releaseBytes(requests);
    if (broken !== undefined) this.#disconnect(broken);
    return replies;
  }

  /** Writes the log of the database back into its file, and gives the data directory free. */
  close(): void {
    const { database } = this.#connection ?? {};
    try {
      if (database !== undefined) releaseDatabase(database, this.#options.instance);
      database?.close();
    } finally {
      this.#unlock();
    }
  }

  #connect(): Connection {
    const { file, durability, instance } = this.#options;
    const database = openDatabase(file, durability);
    try {
      refuseIfHeld(database, file, instance);
      migrate(database, file);
      holdDatabase(database, file, instance);
      const error = addVectorDistance(database);
      if (error !== undefined)
        this.#log({
          level: "warn",
          fields: { error: error.message },
          message: "sqlite-vec cannot be loaded: vectors are compared more slowly",
        });
      return new Connection(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * What the pages in memory and on the disk hold after an error of the disk is uncertain; the next request
   * begins with what the file says.
   */
  #disconnect(cause: unknown): void {
    this.#log({
      level: "error",
      fields: { file: this.#options.file, cause: String(cause) },
      message: "the storage failed and is opened anew",
    });
    const { database } = this.#connection ?? {};
    this.#connection = undefined;
    try {
      database?.close();
    } catch (error) {
      this.#log({
        level: "error",
        fields: { error: String(error) },
        message: "the failed storage could not be closed",
      });
    }
  }
}

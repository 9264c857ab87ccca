import { setImmediate as turn, setTimeout } from "node:timers/promises";
import type { AppError, Change } from "@pergola/sdk";
import { failureOf, kindOf, unavailable } from "./failure-of.ts";
import type { Patience } from "./database.ts";
import { runBatch, type BatchHost } from "./run-batch.ts";
import { settleCommit } from "./settle-commit.ts";
import { BatchFailure, type BatchResult, type Transaction, type Work } from "./transaction.ts";

/** Requests in a transaction; with more than 64 savepoints PostgreSQL slows all others down. */
const largestBatch = 60;

/** How often a transaction is begun anew that was in the way of others. */
const mostContentions = 10;

/** Milliseconds for which a write that was refused for want of room tells of others. */
const remembered = 10_000;

interface Waiting extends Work {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: AppError) => void;
}

/**
 * Requests to write, carried out in their order: all that wait become one transaction, as far as they can.
 * Reads of a place wait for what was asked before to be written there.
 */
export class CommitQueue {
  readonly #host: BatchHost;
  readonly #announce: (changes: readonly Change[]) => void;
  readonly #places = new Map<string, Promise<unknown>>();
  #waiting: Waiting[] = [];
  #working: Promise<void> | undefined;

  #fault: { readonly message: string; readonly at: number } | undefined;

  constructor(host: BatchHost, announce: (changes: readonly Change[]) => void) {
    this.#host = host;
    this.#announce = announce;
  }

  /**
   * Resolves when the request is carried out and durable. `places` are what it writes to. Rejects with
   * AppError.
   */
  ask<T>(
    places: readonly string[],
    run: (transaction: Transaction) => Promise<T>,
    isAlone = false,
  ): Promise<T> {
    const written = new Promise<unknown>((resolve, reject) => {
      this.#host.database.check();
      this.#waiting.push({ run, isAlone, resolve, reject });
    });
    const settled = written.then(
      () => undefined,
      () => undefined,
    );
    for (const place of places) {
      this.#places.set(place, settled);
      void settled.then(() => this.#places.get(place) === settled && this.#places.delete(place));
    }
    this.#working ??= this.#work();
    return written as Promise<T>;
  }

  /** Resolves when everything that was to be written to a place before is, or has failed. */
  async written(place: string): Promise<void> {
    await this.#places.get(place);
  }

  /** Why something could not be written lately, which others may meet too. */
  get fault(): string | undefined {
    if (this.#fault === undefined || performance.now() - this.#fault.at > remembered) return undefined;
    return this.#fault.message;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  async #work(): Promise<void> {
    // What is asked in the same turn belongs together.
    await turn();
    while (this.#waiting.length > 0) await this.#carryOut(this.#take());
    this.#working = undefined;
  }

  /** The requests of the next transaction: those before one that has to be alone, or several such. */
  #take(): readonly Waiting[] {
    const isAlone = this.#waiting[0]?.isAlone;
    const other = this.#waiting.findIndex((one) => one.isAlone !== isAlone);
    const count = Math.min(other === -1 ? this.#waiting.length : other, largestBatch);
    return this.#waiting.splice(0, count);
  }

  async #carryOut(batch: readonly Waiting[]): Promise<void> {
    const { database } = this.#host;
    const patience = database.patience();
    for (let contentions = 0; ;) {
      const result = await this.#attempt(batch, patience);
      if (!(result instanceof BatchFailure)) {
        database.notice(false);
        return this.#deliver(batch, result);
      }
      const { isContention = false, isAway = false } = kindOf(result.cause);
      if (isContention && batch.length > 1) return this.#oneByOne(batch);
      if (isContention && ++contentions < mostContentions) {
        await setTimeout(Math.random() * 20 * contentions);
        continue;
      }
      if (isAway && (await patience.next())) continue;
      if (isAway) database.notice(true);
      return this.#fail(batch, result.cause);
    }
  }

  #fail(batch: readonly Waiting[], cause: unknown): void {
    const failure = failureOf(cause);
    if (kindOf(cause).isLasting === true) this.#fault = { message: failure.message, at: performance.now() };
    this.#reject(batch, failure);
  }

  async #oneByOne(batch: readonly Waiting[]): Promise<void> {
    for (const one of batch) await this.#carryOut([one]);
  }

  /**
   * One transaction, and what came of it; where its connection ended as it was committed, that is found out.
   */
  async #attempt(batch: readonly Waiting[], patience: Patience): Promise<BatchResult | BatchFailure> {
    try {
      return await runBatch(batch, this.#host);
    } catch (error) {
      const failure = error as BatchFailure;
      const { unsure } = failure;
      if (unsure === undefined || kindOf(failure.cause).isAway !== true) return failure;
      const isCommitted = await this.#settle(unsure.number, patience);
      if (isCommitted === true) return unsure;
      return new BatchFailure(isCommitted === false ? failure.cause : unknownOutcome(failure.cause));
    }
  }

  /** Whether a transaction was committed; undefined where the database stays away. */
  async #settle(number: string, patience: Patience): Promise<boolean | undefined> {
    do
      try {
        return await settleCommit(this.#host.database, number, this.#host.instance);
      } catch (error) {
        if (kindOf(error).isAway !== true) return undefined;
      }
    while (await patience.next());
    this.#host.database.notice(true);
    return undefined;
  }

  #deliver(batch: readonly Waiting[], { outcomes, changes }: BatchResult): void {
    this.#announce(changes);
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index]!;
      if ("error" in outcome) reject(failureOf(outcome.error));
      else resolve(outcome.answer);
    }
  }

  #reject(batch: readonly Waiting[], error: AppError): void {
    for (const { reject } of batch) reject(error);
  }
}

const unknownOutcome = (cause: unknown): AppError =>
  unavailable(
    "The database went away before it answered; it is not known whether the write was made.",
    cause,
  );

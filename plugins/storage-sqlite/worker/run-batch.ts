import type { WorkerReply } from "@pergola/kit-worker";
import type { OperationName, Request } from "../messages.ts";
import type { Connection } from "./connection.ts";
import { failureOf, kindOf } from "./failure-of.ts";
import { operations } from "./operations.ts";

export interface BatchResult {
  readonly replies: readonly WorkerReply[];
  /** The error after which the connection must not be used any more. */
  readonly broken?: unknown;
}

interface Outcome {
  readonly reply: WorkerReply;
  readonly error?: Error;
}

const isWrite = ({ name }: Request): boolean => operations[name].writes;

/** What came of each request: a write as `ofWrite` says, any other is carried out. */
const outcomesOf = (
  connection: Connection,
  requests: readonly Request[],
  ofWrite: (request: Request) => Outcome,
): readonly Outcome[] =>
  requests.map((request) => {
    if (isWrite(request)) return ofWrite(request);
    return outcomeOf(connection, request);
  });

/**
 * Carries out all requests that wait, in their order. Their writes are one transaction with one sync of the
 * disk at its end, each of several in a savepoint of its own, so that one that fails takes no other with it;
 * reads see the writes before them. Nothing is answered before the transaction has ended. When that fails,
 * every write is answered with the failure and the reads are done again, so that no answer tells of a write
 * that was lost.
 */
export function runBatch(connection: Connection, requests: readonly Request[]): BatchResult {
  const writes = requests.filter(isWrite);
  if (writes.length === 0) return resultOf(requests.map((request) => outcomeOf(connection, request)));
  const carryOut = writes.length === 1 ? onlyWriteOf : oneOfWrites;
  try {
    connection.statements.get("BEGIN IMMEDIATE").run();
    const outcomes = outcomesOf(connection, requests, (request) => carryOut(connection, request));
    connection.statements.get("COMMIT").run();
    return resultOf(outcomes);
  } catch (error) {
    return withoutWrites(connection, requests, error as Error);
  }
}

function resultOf(outcomes: readonly Outcome[]): BatchResult {
  const broken = outcomes.find(({ error }) => kindOf(error)?.breaks)?.error;
  return { replies: outcomes.map(({ reply }) => reply), broken };
}

function answerOf<N extends OperationName>(connection: Connection, { name, ask }: Request<N>): unknown {
  return operations[name].run(connection, ask);
}

function outcomeOf(connection: Connection, request: Request): Outcome {
  const { id } = request;
  try {
    return { reply: { id, answer: answerOf(connection, request) } };
  } catch (error) {
    return { reply: { id, fault: failureOf(error) }, error: error as Error };
  }
}

/** Carries out a write; `undo` takes one back that fails. Throws what the transaction cannot survive. */
function writeOutcomeOf(connection: Connection, request: Request, undo: () => void): Outcome {
  const outcome = outcomeOf(connection, request);
  if (outcome.error === undefined) return outcome;
  if (kindOf(outcome.error)?.ends || !connection.database.inTransaction) throw outcome.error;
  undo();
  return outcome;
}

/** A savepoint would copy each page before it changes: what fails is taken back with the transaction. */
const onlyWriteOf = (connection: Connection, request: Request): Outcome =>
  writeOutcomeOf(connection, request, () => {
    connection.database.exec("ROLLBACK");
    connection.statements.get("BEGIN IMMEDIATE").run();
  });

function oneOfWrites(connection: Connection, request: Request): Outcome {
  const { statements } = connection;
  statements.get("SAVEPOINT request").run();
  const outcome = writeOutcomeOf(connection, request, () => statements.get("ROLLBACK TO request").run());
  statements.get("RELEASE request").run();
  return outcome;
}

function withoutWrites(connection: Connection, requests: readonly Request[], error: Error): BatchResult {
  const fault = failureOf(error);
  try {
    if (connection.database.inTransaction) connection.database.exec("ROLLBACK");
    connection.reload();
  } catch (second) {
    return { replies: requests.map(({ id }) => ({ id, fault })), broken: second };
  }
  return resultOf(outcomesOf(connection, requests, ({ id }) => ({ reply: { id, fault }, error })));
}

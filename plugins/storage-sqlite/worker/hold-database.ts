import { Refused } from "@pergola/kit-storage/directory";
import { readFileSync, statSync } from "node:fs";
import type { Database } from "better-sqlite3";

/** Who works on a database file. */
interface Holder {
  readonly pid: number;
  /** When the process began, as the system counts it; "" where it does not tell. */
  readonly begun: string;
  /** Names the storage that opened the file; a process may have several. */
  readonly instance: string;
  /** Device and number of the file. */
  readonly file: string;
}

/** Milliseconds in which a process that was killed has ended. */
const patience = 500;

const table = "CREATE TABLE IF NOT EXISTS holder (pid INTEGER, begun TEXT, instance TEXT, file TEXT)";

/** Fields 3 and 22 of proc_pid_stat(5); behind the name of the program, which may hold anything. */
function statusOf(pid: number): { readonly state: string; readonly begun: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", begun: fields[19] ?? "" };
  } catch {
    return { state: "", begun: "" };
  }
}

/** A process that has ended stays in the list until its parent asks how; some parents never do. */
const ended = new Set(["Z", "X"]);

function isAlive({ pid, begun: noted }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const { state, begun } = statusOf(pid);
  return begun === noted && !ended.has(state);
}

/** Whether a process goes on; one that was killed a moment ago is given time to end. */
function staysAlive(holder: Holder): boolean {
  const until = Date.now() + patience;
  while (isAlive(holder)) {
    if (Date.now() >= until) return true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  return false;
}

/** Another file is another database, though it may be a copy with the note of the first in it. */
function identityOf(file: string): string {
  const { dev, ino } = statSync(file, { bigint: true });
  return `${dev}:${ino}`;
}

/** Throws Refused while another host works on the database, though the lock of the directory was removed. */
export function refuseIfHeld(database: Database, file: string, instance: string): void {
  const holder = readHolder(database);
  const isOther = holder !== undefined && holder.instance !== instance && holder.file === identityOf(file);
  if (!isOther || !staysAlive(holder)) return;
  throw new Refused(
    file,
    `is in use by another Pergola (process ${holder.pid})`,
    "Stop that one first, or give this one a data directory of its own.",
  );
}

/** Notes in the database who works on it. A disk that takes no note is no reason to stop. */
export function holdDatabase(database: Database, file: string, instance: string): void {
  const { pid } = process;
  whereAllowed(() =>
    database.transaction(() => {
      database.exec(table);
      database.exec("DELETE FROM holder");
      const note = database.prepare("INSERT INTO holder VALUES (?, ?, ?, ?)");
      note.run(pid, statusOf(pid).begun, instance, identityOf(file));
    })(),
  );
}

/** Takes the note back. */
export function releaseDatabase(database: Database, instance: string): void {
  whereAllowed(() => database.prepare("DELETE FROM holder WHERE instance = ?").run(instance));
}

function readHolder(database: Database): Holder | undefined {
  return whereAllowed(
    () => database.prepare("SELECT pid, begun, instance, file FROM holder").get() as Holder | undefined,
  );
}

function whereAllowed<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

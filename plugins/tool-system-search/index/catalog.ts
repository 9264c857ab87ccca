import type { Database, Statement } from "better-sqlite3";
import { searchWords } from "@pergola/sdk";
import { extensionOf } from "../file-types.ts";
import { fold } from "../fold.ts";
import type { Facts, IndexState } from "../service/messages.ts";

export interface SeenFile {
  readonly name: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

interface UnreadFile extends SeenFile {
  readonly id: number;
  readonly path: string;
}

export type KnownFile = Omit<UnreadFile, "path">;

/** Of a folder what a query selects. */
interface Row {
  readonly id: number;
  readonly path: string;
}

type Counts = Pick<IndexState, "files" | "unread">;

/**
 * The tables of the index, and what is written into them. Call the methods inside `transaction`: each alone
 * would cost a commit.
 */
export class Catalog {
  readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  transaction<T>(work: () => T): T {
    return this.database.transaction(work)();
  }

  /** The number of a folder, which is made when it is new. */
  folder(path: string, parent: number): number {
    const insert = this.#run("INSERT INTO folders (path, parent) VALUES (?, ?)");
    return this.folderAt(path) ?? Number(insert.run(path, parent).lastInsertRowid);
  }

  folderAt(path: string): number | undefined {
    return this.#rows<Row>("SELECT id FROM folders WHERE path = ?", path)[0]?.id;
  }

  filesOf(folder: number): Map<string, KnownFile> {
    const rows = this.#rows<KnownFile>("SELECT id, name, size, modified FROM files WHERE folder = ?", folder);
    return new Map(rows.map((row) => [row.name, row]));
  }

  foldersOf(parent: number): readonly string[] {
    const rows = this.#rows<Row>("SELECT path FROM folders WHERE parent = ?", parent);
    return rows.map(({ path }) => path);
  }

  /** A file that is new: found by its name from now on, and read later. */
  add(folder: number, { name, size, modified }: SeenFile): void {
    const folded = fold(name);
    const insert = this.#run(
      "INSERT INTO files (folder, name, folded, extension, size, modified) VALUES (?, ?, ?, ?, ?, ?)",
    );
    const id = insert.run(folder, name, folded, extensionOf(name), size, modified).lastInsertRowid;
    this.#run("INSERT INTO names (rowid, folded) VALUES (?, ?)").run(id, folded);
  }

  /** A file that changed: read again later, and found by what was in it until then. */
  change(id: number, { size, modified }: SeenFile): void {
    this.#run("UPDATE files SET size = ?, modified = ?, read = 0 WHERE id = ?").run(size, modified, id);
  }

  remove(id: number): void {
    for (const table of ["names", "texts"]) this.#run(`DELETE FROM ${table} WHERE rowid = ?`).run(id);
    this.#run("DELETE FROM facts WHERE file = ?").run(id);
    this.#run("DELETE FROM files WHERE id = ?").run(id);
  }

  /** Forgets a folder and all below it. */
  removeFolder(path: string): void {
    const sql = "SELECT id FROM folders WHERE path = ? OR (path >= ? AND path < ?)";
    for (const { id } of this.#rows<Row>(sql, ...span(path))) {
      for (const file of this.filesOf(id).values()) this.remove(file.id);
      this.#run("DELETE FROM folders WHERE id = ?").run(id);
    }
  }

  /** Forgets what lies below none of the roots. */
  keepOnly(roots: readonly string[]): void {
    for (const path of this.foldersOf(0)) if (!roots.includes(path)) this.removeFolder(path);
  }

  /** The newest files that are not read yet. */
  unread(limit: number): readonly UnreadFile[] {
    const sql =
      "SELECT files.id, name, size, modified, folders.path || '/' || name " +
      "AS path FROM files JOIN folders ON folders.id = folder " +
      "WHERE read = 0 ORDER BY modified DESC LIMIT ?";
    return this.#rows<UnreadFile>(sql, limit);
  }

  /** What was read of a file, unless it has changed or gone meanwhile. */
  setRead({ id, name, size, modified }: UnreadFile, facts: Facts, words: string): void {
    const update = this.#run("UPDATE files SET read = 1 WHERE id = ? AND size = ? AND modified = ?");
    if (update.run(id, size, modified).changes === 0) return;
    this.#run("DELETE FROM texts WHERE rowid = ?").run(id);
    this.#run("DELETE FROM facts WHERE file = ?").run(id);
    const values = Object.entries(facts);
    for (const [attribute, value] of values) this.#addFact(id, attribute, value);
    const texts = values.map(([, value]) => value).filter((value) => typeof value === "string");
    const insert = this.#run("INSERT INTO texts (rowid, name, facts, text) VALUES (?, ?, ?, ?)");
    insert.run(id, searchWords(name).join(" "), searchWords(texts.join(" ")).join(" "), words);
  }

  counts(): Counts {
    return this.#run(
      "SELECT count(*) AS files, (SELECT count(*) FROM files WHERE read = 0) AS unread FROM files",
    ).get() as Counts;
  }

  /** The names of all facts that some file has. */
  attributes(): readonly string[] {
    const next = this.#run("SELECT attribute FROM facts WHERE attribute > ? ORDER BY attribute LIMIT 1");
    const found: string[] = [];
    for (let row = next.get(""); row !== undefined; row = next.get(found.at(-1)))
      found.push((row as { readonly attribute: string }).attribute);
    return found;
  }

  close(): void {
    this.database.close();
  }

  #addFact(file: number, attribute: string, value: string | number): void {
    const insert = this.#run("INSERT INTO facts (file, attribute, text, number) VALUES (?, ?, ?, ?)");
    insert.run(file, attribute, fold(String(value)), typeof value === "number" ? value : null);
  }

  #run(sql: string): Statement {
    return this.database.prepare(sql);
  }

  #rows<T>(sql: string, ...values: readonly (string | number)[]): readonly T[] {
    return this.#run(sql).all(...values) as T[];
  }
}

/** The folder itself, and the half-open range of paths below it: `0` follows `/`. */
export function span(folder: string): readonly [string, string, string] {
  const base = folder.replace(/\/$/, "");
  return [folder, `${base}/`, `${base}0`];
}

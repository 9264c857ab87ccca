import { Declaration } from "@pergola/kit-storage";
import { AppError } from "@pergola/sdk";
import type { Catalog } from "./catalog.ts";
import type { RecordsHost } from "./postgres-records.ts";

/** The table of a search or of a text index, which is made when it is first used. */
export class NamedTable {
  readonly #host: RecordsHost;
  readonly #kind: "searches" | "texts";
  readonly #name: string;
  readonly #createSql: (number: number) => string;
  readonly #declaration = new Declaration();

  constructor(
    host: RecordsHost,
    kind: "searches" | "texts",
    name: string,
    createSql: (number: number) => string,
  ) {
    this.#host = host;
    this.#kind = kind;
    this.#name = name;
    this.#createSql = createSql;
    this.prepare();
  }

  /** The name under which reads wait for writes. */
  get place(): string {
    return `${this.#kind}/${this.#name}`;
  }

  /** Asks for the table where it is not there; what is asked after that finds it. */
  prepare(): void {
    const { catalog, queue } = this.#host;
    if (this.#find(catalog) !== undefined) return;
    this.#declaration.send(() =>
      queue.ask(
        [this.place],
        async ({ client, catalog: known }) =>
          known.declareNamed(client, this.#kind, this.#name, this.#createSql),
        true,
      ),
    );
  }

  /** Its name, once everything that was to be written to it before is. Rejects with AppError. */
  async ready(): Promise<string> {
    this.#host.database.check();
    this.prepare();
    await this.#host.queue.written(this.place);
    return this.in(this.#host.catalog);
  }

  /** Its name. Throws AppError where there is none. */
  in(catalog: Catalog): string {
    const table = this.#find(catalog);
    if (table !== undefined) return table;
    throw new AppError({
      code: "storage_unavailable",
      message: `The index ${this.#name} could not be prepared.`,
    });
  }

  #find(catalog: Catalog): string | undefined {
    return this.#kind === "searches" ? catalog.search(this.#name) : catalog.text(this.#name);
  }
}

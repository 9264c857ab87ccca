import { AppError, isObject, messageOf } from "@pergola/sdk";
import { readExport, sources, type Found } from "./reading/read-export.ts";
import { Account, reportLines, type ImportReport } from "./sending/report.ts";
import { sendConversation, sendPackage, type AppPackage, type Outcome } from "./sending/send-package.ts";
import type { OnConflict, Service } from "./sending/service.ts";

export interface Progress {
  /** Bytes, unpacked. */
  readonly read: number;
  readonly all: number;
  readonly conversations: number;
  readonly messages: number;
}

export interface Importing {
  readonly service: Service;
  /** A file, an archive (.zip) or a folder. */
  readonly file: string;
  /** `auto`, `pergola` or an app. */
  readonly from: string;
  /** By default `new_id` for a package of Pergola, and `skip` for the exports of apps. */
  readonly onConflict?: OnConflict;
  /** Ends it after the conversation that is being sent. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

type FoundConversation = Extract<Found, { readonly kind: "conversation" }>;

/** Refusals that concern one conversation alone. */
const ownRefusals = new Set(["invalid_value", "id_taken", "request_too_large", "conversation_busy"]);

const isOwn = (error: unknown): error is AppError => AppError.is(error) && ownRefusals.has(error.code);

/** The model of the service that an app means by a name: the one that is called so, whoever provides it. */
async function modelFinder(service: Service): Promise<(name: string) => string | undefined> {
  const { data = [] } = await service.send<{ readonly data?: readonly unknown[] }>("GET", "/v1/models");
  const ids = data.filter(isObject).map(({ id }) => String(id));
  return (name) => {
    if (name === "" || ids.includes(name)) return name || undefined;
    const [found, ...others] = ids.filter((id) => id.endsWith(`/${name}`));
    return others.length === 0 ? found : undefined;
  };
}

/** One import, from its file to its report. */
class Import {
  readonly #importing: Importing;
  readonly #account = new Account();
  #modelOf: (name: string) => string | undefined = () => undefined;
  #found = 0;
  /** The refusal of the only conversation so far. */
  #refusal: AppError | undefined;

  constructor(importing: Importing) {
    this.#importing = importing;
  }

  async run(): Promise<ImportReport> {
    const { service, file, from, signal } = this.#importing;
    this.#modelOf = await modelFinder(service);
    const modelOf = (name: string): string | undefined => this.#modelOf(name);
    const onBytes = (read: number, all: number): void => this.#tell(read, all);
    for await (const found of readExport(file, { from, modelOf, onBytes })) {
      if (signal.aborted) {
        this.#account.stopped = true;
        break;
      }
      if (!(await this.#take(found))) break;
    }
    if (this.#found === 1 && this.#refusal !== undefined) throw this.#refusal;
    return this.#account.report();
  }

  #tell(read: number, all: number): void {
    const { conversations, messages } = this.#account;
    this.#importing.onProgress({ read, all, conversations, messages });
  }

  /** False where it makes no sense to go on. */
  async #take(found: Found): Promise<boolean> {
    if (found.kind === "empty") this.#account.empty();
    if (found.kind === "problem") this.#account.failed(found.name, found.message);
    if (found.kind !== "conversation") return true;
    this.#found += 1;
    try {
      this.#account.done(await this.#send(found), { ...found, model: this.#unknownModel(found) });
    } catch (error) {
      return this.#refused(found, error);
    }
    return true;
  }

  #send({ isPackage, pack }: FoundConversation): Promise<Outcome> {
    const { service, onConflict } = this.#importing;
    if (isPackage) return sendPackage(service, pack, onConflict ?? "new_id");
    return sendConversation(service, pack as AppPackage, onConflict ?? "skip");
  }

  #unknownModel({ model }: FoundConversation): string | undefined {
    return model !== undefined && this.#modelOf(model) === undefined ? model : undefined;
  }

  #refused({ title }: FoundConversation, error: unknown): boolean {
    if (isOwn(error)) {
      this.#refusal = error;
      this.#account.failed(`"${title}"`, error.message);
      return true;
    }
    if (this.#account.conversations === 0) throw error;
    this.#account.stopped = messageOf(error);
    return false;
  }
}

/**
 * Imports all conversations of a file, an archive or a folder, one by one, each whole or not at all.
 * Throws AppError `invalid_value` where nothing can be read, and what the service refuses a single
 * conversation, or the first one, with.
 */
export async function importFile(
  importing: Importing,
): Promise<{ readonly report: ImportReport; readonly lines: readonly string[] }> {
  const { from } = importing;
  if (!sources.includes(from)) {
    const message = `--from knows ${sources.join(", ")}, and not "${from}".`;
    throw new AppError({ code: "invalid_value", message });
  }
  const report = await new Import(importing).run();
  return { report, lines: reportLines(report) };
}

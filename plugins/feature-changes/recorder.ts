import type { Files } from "@pergola/sdk";
import type { CallRecorder, RecordedCall, RestoringFiles } from "@pergola/sdk/host";
import type { Journal } from "./journal.ts";
import type { ProgramWatch } from "./programs/program-watch.ts";
import { RecordedFiles } from "./recorded-files.ts";
import type { Owner } from "./records.ts";

interface Recording {
  readonly call: RecordedCall;
  readonly owner: Owner;
  readonly journal: Journal;
  /** Sees what programs change. */
  readonly watch: ProgramWatch | undefined;
  /** Is called when the record of the call is complete. */
  readonly ended: () => void;
}

/** Records what one call changes, by itself and by the programs that it runs. */
export class Recorder implements CallRecorder {
  readonly #call: RecordedCall;
  readonly #owner: Owner;
  readonly #journal: Journal;
  readonly #watch: ProgramWatch | undefined;
  readonly #ended: () => void;

  constructor({ call, owner, journal, watch, ended }: Recording) {
    this.#call = call;
    this.#owner = owner;
    this.#journal = journal;
    this.#watch = watch;
    this.#ended = ended;
  }

  files(files: RestoringFiles): Files {
    return new RecordedFiles(files, this.#journal, this.#owner);
  }

  spawn(spawn: Parameters<CallRecorder["spawn"]>[0]): ReturnType<CallRecorder["spawn"]> {
    return async (...args) => {
      await this.#watch?.begin();
      return spawn(...args);
    };
  }

  async begin(): Promise<void> {
    if (this.#call.programs === "any") await this.#watch?.begin();
  }

  async end(): Promise<void> {
    await this.#watch?.end();
    this.#ended();
  }
}

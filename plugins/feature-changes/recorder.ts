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
  readonly #recording: Recording;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  files(files: RestoringFiles): Files {
    const { journal, owner } = this.#recording;
    return new RecordedFiles(files, journal, owner);
  }

  spawn(spawn: Parameters<CallRecorder["spawn"]>[0]): ReturnType<CallRecorder["spawn"]> {
    return async (...args) => {
      await this.#recording.watch?.begin();
      return spawn(...args);
    };
  }

  async begin(): Promise<void> {
    const { call, watch } = this.#recording;
    if (call.programs === "any") await watch?.begin();
  }

  async end(): Promise<void> {
    await this.#recording.watch?.end();
    this.#recording.ended();
  }
}

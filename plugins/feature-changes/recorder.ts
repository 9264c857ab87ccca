import type { CallRecorder, RecordedCall } from "@pergola/sdk/host";
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
export const recorderOf = ({ call, owner, journal, watch, ended }: Recording): CallRecorder => ({
  files: (files) => new RecordedFiles(files, journal, owner),
  spawn:
    (spawn) =>
    async (...args) => {
      await watch?.begin();
      return spawn(...args);
    },
  async begin() {
    if (call.programs === "any") await watch?.begin();
  },
  async end() {
    await watch?.end();
    ended();
  },
});

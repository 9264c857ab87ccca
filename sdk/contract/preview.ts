import type { FileChangeRecord, TextDiff } from "./changes.ts";

/** A file as a preview tells of it. */
export interface PreviewedState {
  /** Bytes. */
  readonly size: number;
  /** 64 hexadecimal digits; null for a folder, and for what is too large to be read. */
  readonly sha256: string | null;
  /** Octal, as 0644; null while nobody knows. */
  readonly mode: string | null;
}

/** What a call would do to one file. */
export interface PreviewedFile {
  /** A real path; of what would be renamed, the new one. */
  readonly path: string;
  /** The old path of what would be renamed. */
  readonly from: string | null;
  readonly change: FileChangeRecord["kind"];
  readonly before: PreviewedState | null;
  readonly after: PreviewedState | null;
  /** null where there is nothing to compare. Lists and events leave the hunks out. */
  readonly diff: (Omit<TextDiff, "hunks"> & Partial<Pick<TextDiff, "hunks">>) | null;
}

/** The command that a call would run. */
export interface PreviewedCommand {
  readonly line: string;
  /** null where no shell reads it. */
  readonly shell: string | null;
  readonly workingDirectory: string;
  /** null = this computer. */
  readonly host: string | null;
  /** null = none. */
  readonly sandbox: string | null;
  readonly timeoutSeconds: number | null;
  /** The names of the service's variables that it sees. */
  readonly environment: readonly string[];
}

/** Who or what would get something. */
export interface Recipient {
  readonly kind: "person" | "host" | "repository" | "service";
  readonly name: string;
  readonly address: string;
}

/** What a call would do, as far as it can be worked out without doing it. */
export interface Preview {
  /** `partial`: it was cut at a limit, or some of it cannot be shown; `none`: nothing can. */
  readonly state: "ready" | "partial" | "none";
  /** Why it is not whole; null when it is. */
  readonly note: string | null;
  readonly files: readonly PreviewedFile[];
  readonly command: PreviewedCommand | null;
  readonly recipients: readonly Recipient[];
  /** What can be taken back afterwards: all of it, only what it changes in files, or nothing. */
  readonly undo: "all" | "files" | "none";
}

/** What an operation says by itself of what a call would do; the host fills in the rest. */
export interface CallPreview {
  readonly command?: Pick<PreviewedCommand, "line"> &
    Partial<Pick<PreviewedCommand, "shell" | "workingDirectory" | "host" | "timeoutSeconds">>;
  readonly recipients?: readonly Recipient[];
}

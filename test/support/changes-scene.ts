import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder, type ScriptedCall, type TestHostOptions } from "@pergola/sdk/testing";
import { ask, openStage, type Stage } from "./host.ts";
import { calling, saying, type ChatAnswer } from "./lab-stage.ts";

export interface WireState {
  readonly kind: string;
  readonly sha256: string | null;
  readonly size: number;
  readonly mode: string | null;
}

export interface WireChange {
  readonly id: string;
  readonly runId: string | null;
  readonly rootRunId: string | null;
  readonly callId: string | null;
  readonly revertId: string | null;
  readonly conversationId: string;
  readonly tool: string;
  readonly operation: string;
  readonly path: string;
  readonly from: string | null;
  readonly kind: string;
  readonly byProgram: boolean;
  readonly before: WireState | null;
  readonly after: WireState | null;
  readonly additions: number | null;
  readonly deletions: number | null;
  readonly state: string;
  readonly revertible: boolean;
  readonly reason: string | null;
  readonly revertedBy: string | null;
  readonly at: string;
}

export interface WirePage {
  readonly changes: readonly WireChange[];
  readonly count: number;
  readonly complete: boolean;
  readonly gaps: readonly { readonly callId: string | null; readonly reason: string; readonly at: string }[];
}

export interface WireRevert {
  readonly success: boolean;
  readonly revertId: string | null;
  readonly reverted: readonly { readonly path: string; readonly action: string; readonly to?: string }[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  readonly kept: readonly string[];
  readonly error?: { readonly code: string; readonly message: string; readonly param?: string };
}

/** A folder with files in it, and runs that change them. */
export interface ChangesScene extends Stage {
  readonly folder: string;
  /** An absolute path in the folder. */
  readonly at: (name: string) => string;
  readonly put: (name: string, content: string | Uint8Array) => void;
  readonly read: (name: string) => string;
  /** A run that makes these calls, one after the other; its id. */
  readonly run: (calls: readonly ScriptedCall[], more?: object) => Promise<string>;
  readonly changes: (id: string, query?: string) => Promise<WirePage>;
  /** Paths in the folder and kinds, the oldest first. */
  readonly kinds: (id: string) => Promise<readonly string[]>;
  readonly revert: (id: string, body?: object) => Promise<WireRevert & { readonly status: number }>;
}

export const fileCall = (operation: string, more: object): ScriptedCall => ({
  name: "file_operations",
  arguments: { operation, ...more },
});
export const writing = (filePath: string, content: string): ScriptedCall =>
  fileCall("write_file", { filePath, content });
export const deleting = (filePath: string): ScriptedCall => fileCall("delete_file", { filePath });
export const renaming = (oldPath: string, newPath: string): ScriptedCall =>
  fileCall("rename_file", { oldPath, newPath });
export const commanding = (command: string): ScriptedCall => ({
  name: "terminal_operations",
  arguments: { operation: "run_command", command, explanation: "It is needed." },
});

export const unasked = {
  "tools.disabled": [],
  "authorization.auto_approve": ["write", "destructive", "execute"],
};

export async function openChanges({
  settings = {},
  ...options
}: TestHostOptions = {}): Promise<ChangesScene> {
  const stage = await openStage(undefined, { ...options, settings: { ...unasked, ...settings } });
  const { host, provider } = stage;
  const folder = temporaryFolder("pergola-changes-");
  const at = (name: string): string => path.join(folder, name);
  const changes = async (id: string, query = "") =>
    (await host.json<WirePage>("GET", `/api/runs/${id}/changes${query}`)).body;
  return {
    ...stage,
    folder,
    at,
    put: (name, content) => {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
    },
    read: (name) => readFileSync(at(name), "utf8"),
    run: async (
      calls,
      { service_config: config = {}, ...more }: { readonly service_config?: object } = {},
    ) => {
      provider.play([...calls.map((call) => calling(call)), saying("Done.")]);
      const body = ask("Do it", { service_config: { working_directory: folder, ...config }, ...more });
      const { body: answer } = await host.json<ChatAnswer>("POST", "/api/chat/completions", body);
      return answer.service_metadata.run_id;
    },
    changes,
    kinds: async (id) =>
      (await changes(id)).changes.map((one) => `${one.kind} ${path.relative(folder, one.path)}`).toReversed(),
    revert: async (id, body) => {
      const { status, body: answer } = await host.json<WireRevert>(
        "POST",
        `/api/runs/${id}/revert`,
        body ?? {},
      );
      return { ...answer, status };
    },
  };
}

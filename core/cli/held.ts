import type { HeldFile } from "@pergola/sdk/host";
import { localTime } from "./local-time.ts";
import { printJson, printNote, printResult, printWrapped } from "./print-result.ts";
import { withHint, type CommonOptions, type Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface Listed {
  readonly files: readonly HeldFile[];
  readonly count: number;
}

interface Done {
  readonly success: true;
  readonly file: HeldFile;
}

const addressOf = (id: string): string => `/api/held-files/${encodeURIComponent(id)}`;
const listHint = "`pergola held list` lists what is held.";

/** Lists what appeared under protected names while programs ran, the newest first. */
export async function listHeld(service: Service, { json }: CommonOptions): Promise<void> {
  const { files, count } = await service.get<Listed>("/api/held-files");
  if (json) return printJson({ files, count });
  for (const { id, path, tool, operation, runId, callId, at } of files) {
    const origin = `${tool}.${operation}, ${runId ?? callId}, ${localTime(at)}`;
    printWrapped([`${id} ${visible(path)} ${styled("dim", visible(origin))}`]);
  }
  if (count === 0) printNote("Nothing is held.");
}

/** Puts one back where it appeared. */
export async function restoreHeld(service: Service, id: string, options: CommonOptions): Promise<void> {
  const { file } = await withHint(service.send<Done>("POST", `${addressOf(id)}/restore`), listHint);
  printResult(options, { ...file }, [
    `${visible(file.path)} is back. Other programs can execute or trust it.`,
  ]);
}

/** Throws one away. */
export async function removeHeld(service: Service, id: string, options: CommonOptions): Promise<void> {
  const { file } = await withHint(service.send<Done>("DELETE", addressOf(id)), listHint);
  printResult(options, { ...file }, [`${visible(file.path)} was thrown away.`]);
}

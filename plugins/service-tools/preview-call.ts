import type { Json, JsonObject } from "@pergola/sdk";
import { withDeadline, type CallPreview, type Preview, type PreviewedCommand } from "@pergola/sdk/host";
import type { Checked } from "./check-call.ts";
import { ownSettings } from "./own-settings.ts";
import type { Passage } from "./passage.ts";
import { patience, rehearseCall, type Rehearsed } from "./rehearse-call.ts";
import { wallOf } from "./without-walls.ts";

/** What a call would do, and what that rests on. */
export interface Foreseen {
  readonly preview: Preview;
  readonly basis: readonly JsonObject[];
}

/** Works out what a call would do, without doing any of it. Never rejects. */
export async function foresee(passage: Passage, call: Checked): Promise<Foreseen> {
  const [own, rehearsed] = await Promise.all([ownPreview(passage, call), rehearseCall(passage, call)]);
  const said = {
    command: own.command === undefined ? null : await commandOf(passage, call, own.command),
    recipients: passage.parts.redactJson(
      (own.recipients ?? []) as unknown as Json,
    ) as unknown as Preview["recipients"],
  };
  const isSaid = said.command !== null || said.recipients.length > 0;
  const { end } = rehearsed;
  const preview = {
    ...stateOf(rehearsed, isSaid),
    files: end?.files ?? [],
    ...said,
    undo: undoOf(passage, call, rehearsed, said.command),
  };
  return { preview, basis: end?.basis ?? [] };
}

/** What the operation itself says. A fault in it takes nothing from the question. */
async function ownPreview(
  { setting }: Passage,
  { spec, arguments: args, entry }: Checked,
): Promise<CallPreview> {
  const context = { settings: ownSettings(entry.plugin).settings, signal: setting.signal };
  const asked = Promise.resolve(args).then((given) => spec.preview?.(given as never, context) ?? {});
  return withDeadline(asked, patience, () => new Error("It takes too long.")).catch(() => ({}));
}

function stateOf({ end, note }: Rehearsed, isSaid: boolean): Pick<Preview, "state" | "note"> {
  if (end === undefined) return isSaid ? { state: "ready", note: null } : { state: "none", note };
  if (note !== null) return { state: "partial", note };
  return { state: "ready", note: end.files.length === 0 ? "It would change no file." : null };
}

async function commandOf(
  { parts }: Passage,
  call: Checked,
  { line, shell = null, workingDirectory = ".", host = null, timeoutSeconds = null }: OwnCommand,
): Promise<PreviewedCommand> {
  const isHere = host === null;
  return {
    line: parts.redact(line),
    shell,
    workingDirectory: isHere
      ? parts.doors.resolve(workingDirectory, call.realDirectory).real
      : workingDirectory,
    host,
    sandbox: isHere ? await wallOf(parts, call) : null,
    timeoutSeconds,
    environment: isHere ? parts.doors.variables() : [],
  };
}

type OwnCommand = NonNullable<CallPreview["command"]>;

/** What the person could take back afterwards. */
function undoOf(
  { parts }: Passage,
  { place }: Checked,
  { end, note }: Rehearsed,
  command: PreviewedCommand | null,
): Preview["undo"] {
  const keeps = parts.changes !== undefined && parts.preferences.get<number>("changes.retention_days") > 0;
  const isElsewhere = place === "own" || (command !== null && command.host !== null);
  if (!keeps || isElsewhere) return "none";
  if (end === undefined || note !== end.cut) return "files";
  return end.revertible ? "all" : "none";
}

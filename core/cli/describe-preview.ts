import type { Preview } from "@pergola/sdk/host";
import { styled, visible } from "./visible.ts";

type File = Preview["files"][number];

/** A name in one line, so that no part of it can pass for a line of ours. */
const inLine = (text: string): string => visible(text).replaceAll("\n", "␊");

const undoWords: Readonly<Record<Preview["undo"], string>> = {
  all: "It can be taken back.",
  files: "Changes of files can be taken back, other effects cannot.",
  none: "It cannot be taken back.",
};

const colours: Readonly<Record<string, Parameters<typeof styled>[0]>> = { "+": "green", "-": "red" };

function diffLines({ diff }: File): readonly string[] {
  if (diff?.hunks === undefined) return [];
  const lines = diff.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: own }) => [
    styled("dim", `    @@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...own.map((line) => styled(colours[line[0] ?? ""] ?? "reset", `    ${inLine(line)}`)),
  ]);
  return diff.truncated ? [...lines, "    There is more than is shown here."] : lines;
}

function fileLines(file: File): readonly string[] {
  const { path, from, change, diff } = file;
  const origin = from === null ? "" : ` from ${inLine(from)}`;
  const counts = diff === null || diff.binary ? "" : ` +${diff.additions} -${diff.deletions}`;
  return [`  ${change} ${inLine(path)}${origin}${counts}`, ...diffLines(file)];
}

function commandLines({ command }: Preview): readonly string[] {
  if (command === null) return [];
  const { line, shell, workingDirectory, host, timeoutSeconds, sandbox } = command;
  const facts = [
    `${shell ?? "no shell"} in ${workingDirectory}`,
    host === null ? "" : `on ${host}`,
    timeoutSeconds === null ? "" : `${timeoutSeconds} s`,
    host === null ? `${sandbox === null ? "no sandbox" : `sandbox ${sandbox}`}` : "",
  ];
  const shown = visible(line).replaceAll("\n", "\n    | ");
  return [`  $ ${shown}`, `  ${styled("dim", inLine(facts.filter(Boolean).join(", ")))}`];
}

/** What a call would do, as the service has worked it out: the same as a question on the page shows. */
export function previewLines(preview: Preview): readonly string[] {
  const lines = [
    ...commandLines(preview),
    ...preview.files.flatMap(fileLines),
    ...preview.recipients.map(({ name, address }) => `  to ${inLine(name)} (${inLine(address)})`),
  ];
  if (preview.note !== null) lines.push(`  ${inLine(preview.note)}`);
  return [...lines, `  ${undoWords[preview.undo]}`];
}

/** Whether the preview says all that the arguments say: it has a command, or each line of its files. */
export function saysAll({ state, command, files }: Preview): boolean {
  if (state !== "ready") return false;
  return command !== null || (files.length > 0 && files.every(({ diff }) => diff?.hunks !== undefined));
}

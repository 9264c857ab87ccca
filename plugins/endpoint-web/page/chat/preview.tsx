import { type Approval, pathOf, type Preview } from "../link/index.ts";
import { counted, joined, visible } from "../text/format.ts";
import { Texts } from "../parts/index.ts";
import { DiffTable, Path, WholeFile } from "./diff.tsx";

const undoWords: Readonly<Record<Preview["undo"], string>> = {
  all: "Can be taken back.",
  files: "Changes of files can be taken back, other effects cannot.",
  none: "Cannot be taken back.",
};

function Command({ command }: { readonly command: NonNullable<Preview["command"]> }) {
  const facts = joined(
    `${command.shell ?? "no shell"} in ${command.workingDirectory}`,
    command.host !== null && `on ${command.host}`,
    command.timeoutSeconds !== null && `${command.timeoutSeconds} s`,
    command.sandbox === null ? "no sandbox" : `sandbox ${command.sandbox}`,
  );
  return [
    <pre class="command" tabIndex={0}>{`$ ${visible(command.line)}`}</pre>,
    <p class="faint">{visible(facts)}</p>,
  ];
}

const drawFile = (id: string, { path, from, change, diff }: Preview["files"][number]) => (
  <section>
    <p>
      <Path path={path} /> {change}
      {from !== null && [" from ", <Path path={from} />]}
      {diff !== null && <span class="counts">{` +${diff.additions} −${diff.deletions}`}</span>}
    </p>
    {diff?.hunks !== undefined && <DiffTable diff={diff} />}
    {change === "modified" && <WholeFile path={pathOf(["api", "approvals", id, "diff"], { path })} />}
  </section>
);

/** What a call would do, as the service has worked it out; its arguments where it has not. */
export function PreviewOf({ approval }: { readonly approval: Approval }) {
  const { preview } = approval;
  if (preview === undefined || preview === null || preview.state === "none")
    return [
      <Texts of={approval.arguments} />,
      <p class="faint">{preview?.note ?? "There is no preview: these are the arguments of the call."}</p>,
    ];
  return [
    preview.command !== null && <Command command={preview.command} />,
    preview.files.map((file) => drawFile(approval.id, file)),
    preview.recipients?.map(({ name, address }) => <p>{visible(`To ${name} ${address}`)}</p>),
    preview.note !== null && <p class="faint">{preview.note}</p>,
    <p class="faint">{undoWords[preview.undo]}</p>,
  ];
}

/** The effect of a call as the button names it. */
export function effectOf({ preview, effect }: Approval): string {
  if (preview?.command) return "Run this command";
  const files = preview?.files.length ?? 0;
  if (files > 0) return `Write ${counted(files, "file")}`;
  return effect === "read" ? "Read without preview" : "Run without preview";
}

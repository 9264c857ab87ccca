import { useRef } from "preact/hooks";
import type { FileChangeRecord } from "../link/index.ts";
import { Button, Items, Line } from "../parts/index.ts";
import { addFiles, thread, type Upload } from "../state/index.ts";
import { nameAt, visible } from "../text/format.ts";
import { revert } from "./changes.tsx";

export function AddFiles() {
  const picker = useRef<HTMLInputElement>(null);
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    addFiles(thread.peek(), currentTarget.files ?? []);
    currentTarget.value = "";
  };
  return [
    <Button look="quiet" press={() => picker.current?.click()} label="+ File" />,
    <input ref={picker} type="file" multiple hidden onChange={choose} />,
  ];
}

/** Pictures have no other name in the clipboard. */
function named(file: File): File {
  if (file.name !== "image.png") return file;
  return new File([file], `image-${new Date().toLocaleTimeString("sv").replaceAll(":", "")}.png`);
}

/** Takes files that are dropped or pasted: not the picture that comes with a piece of a document. */
export function takeFiles(event: DragEvent | ClipboardEvent): void {
  const { types = [], files = [] } =
    ("dataTransfer" in event ? event.dataTransfer : event.clipboardData) ?? {};
  if (!types.includes("Files") || (types.includes("text/plain") && types.includes("text/html"))) return;
  event.preventDefault();
  if (event.type !== "dragover") addFiles(thread.peek(), [...files].map(named));
}

function drawAdded({ path, callId }: FileChangeRecord) {
  const takeBack = async () => {
    const { refused } = await revert(callId ?? "", {});
    await thread.peek().readChanges();
    if (refused[0]) throw new Error(refused[0].reason);
  };
  const about = nameAt(path);
  return <Line key={path} name={visible(about)} actions={[{ label: "Remove", about, act: takeBack }]} />;
}

function drawUpload(upload: Upload) {
  const { path: about } = upload;
  const { share, failure, isTaken, isAdded } = upload.progress.value;
  return (
    <Line
      name={about}
      note={!failure && !isAdded && <progress value={share} aria-label={about} />}
      fault={failure}
      actions={[
        isTaken === true && { label: "Replace it", about, act: () => upload.send(true) },
        isTaken === false && { label: "Try again", about, act: () => upload.send() },
        { label: isAdded ? "Leave out" : "Remove", about, act: async () => upload.leave() },
      ]}
    />
  );
}

export const Added = () => (
  <div class="uploads">
    <Items of={thread.value.added.value}>{drawAdded}</Items>
    <Items of={thread.value.uploads.value}>{drawUpload}</Items>
  </div>
);

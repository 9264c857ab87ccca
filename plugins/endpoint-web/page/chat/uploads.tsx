import { useRef } from "preact/hooks";
import { Button, Items, Line } from "../parts/index.ts";
import { thread, type Upload } from "../state/index.ts";

/** The way to files of this computer. */
export function AddFiles({ label }: { readonly label: string }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button look="quiet" press={() => picker.current?.click()} label={label} />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onClick={({ currentTarget }) => (currentTarget.value = "")}
        onChange={({ currentTarget }) => thread.peek().uploads.add(currentTarget.files)}
      />
    </>
  );
}

/** Pictures have no other name in the clipboard. */
function named(file: File): File {
  if (file.name !== "image.png") return file;
  return new File([file], `image-${new Date().toLocaleTimeString("sv").replaceAll(":", "")}.png`);
}

/** Takes files that are dropped or pasted: not the picture that comes with a piece of a document. */
export function takeFiles(event: DragEvent | ClipboardEvent): void {
  const { types, files } = ("dataTransfer" in event ? event.dataTransfer : event.clipboardData) ?? {};
  const isText = types?.includes("text/plain") && types.includes("text/html");
  if (!types?.includes("Files") || isText) return;
  event.preventDefault();
  if (event.type !== "dragover") thread.peek().uploads.add([...(files ?? [])].map(named));
}

function drawUpload(upload: Upload) {
  const { name: about, progress, isThere } = upload;
  const { share, failure, isTaken } = progress.value;
  return (
    <Line
      name={about}
      note={!isThere && !failure && <progress value={share} aria-label={about} />}
      fault={failure}
      actions={[
        isTaken === true && { label: "Replace it", about, act: () => upload.send(true) },
        isTaken === false && { label: "Try again", about, act: () => upload.send() },
        { label: "Remove", about, act: () => thread.peek().uploads.remove(upload) },
      ]}
    />
  );
}

/** Files that somebody adds. */
export const Uploads = ({ of }: { readonly of: readonly Upload[] }) => (
  <div class="uploads" children={<Items of={of}>{drawUpload}</Items>} />
);

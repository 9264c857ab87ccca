import { useRef, useState } from "preact/hooks";
import { call, type Folder, send } from "../link/index.ts";
import { Button, Fold, Items, Line, Panel, Reading, useRead } from "../parts/index.ts";
import { overlay, thread } from "../state/index.ts";
import { bytes, dayAndTime, joined, visible } from "../text/format.ts";
import { ChangesLine } from "./changes.tsx";

type Entry = Folder["entries"][number];

/** The largest file that is shown, in bytes. */
const largest = 1_000_000;

const fetchFile = async (path: string): Promise<Blob> =>
  (await send(thread.peek().path(["files", ...path.split("/")]))).blob();

/** Has the browser save a file. */
async function save({ name, path }: Entry): Promise<void> {
  const href = URL.createObjectURL(await fetchFile(path));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}

function Text({ path }: Pick<Entry, "path">) {
  const read = useRead(async () => (await fetchFile(path)).text(), path);
  return <Reading read={read}>{(text) => <pre tabIndex={0}>{visible(text)}</pre>}</Reading>;
}

/** A file or a folder: what is in it, once somebody wants to see that, and the way to save it. */
function drawEntry(entry: Entry) {
  const { name: about, path, kind, size, modified } = entry;
  const isFile = kind === "file";
  const facts = joined(isFile ? bytes(size) : kind, dayAndTime(modified));
  const content = isFile ? <Text path={path} /> : <FolderList path={path} />;
  const canShow = kind === "directory" || (isFile && size <= largest);
  return (
    <Line
      key={path}
      name={visible(about)}
      note={[facts, canShow && <Fold name="Show" children={content} />]}
      actions={[isFile && { label: "Download", about, act: () => save(entry) }]}
    />
  );
}

/** A folder, read anew when something has been changed in files. */
function FolderList({ path }: Pick<Entry, "path">) {
  const [limit, setLimit] = useState(100);
  const address = thread.value.path(["files"], { path, limit });
  const read = useRead(() => call<Folder>(address), address + thread.value.changes.value.length);
  return (
    <Reading read={read}>
      {({ entries, count }) => (
        <Items of={entries} empty="There are no files here." count={count} more={() => setLimit(limit + 100)}>
          {drawEntry}
        </Items>
      )}
    </Reading>
  );
}

/** The files in the conversation's working directory, the way to add some, and what was added. */
function FilesPanel() {
  const picker = useRef<HTMLInputElement>(null);
  const { changes, failure, upload } = thread.value;
  const byHand = changes.value.filter(({ runId }) => runId === null);
  const calls = new Set(byHand.flatMap(({ callId }) => callId ?? []));
  return (
    <Panel name="Files">
      <Button press={() => picker.current?.click()} label="Upload…" />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onClick={({ currentTarget }) => (currentTarget.value = "")}
        onChange={(event) => void upload(event.currentTarget.files)}
      />
      {failure.value !== "" && <p class="failure">{failure.value}</p>}
      <FolderList path="" />
      {[...calls].map((id) => (
        <ChangesLine key={id} id={id} />
      ))}
    </Panel>
  );
}

/** Shows the files of the conversation that is open. */
export const openFiles = (): void => void (overlay.value = <FilesPanel />);

import { useState } from "preact/hooks";
import { download, type Folder, send } from "../link/index.ts";
import { Fold, From, Items, Line, openPanel } from "../parts/index.ts";
import { thread } from "../state/index.ts";
import { bytes, dayAndTime, joined, visible } from "../text/format.ts";
import { ChangesLine } from "./changes.tsx";
import { Path } from "./diff.tsx";

type Entry = Folder["entries"][number];

/** The largest file that is shown, in bytes. */
const largest = 1_000_000;

const routeOf = (path: string): string => thread.peek().path(["files", ...path.split("/")]);

const Text = ({ path }: Pick<Entry, "path">) => (
  <From path={path} read={async () => (await send(routeOf(path))).text()}>
    {(text) => <pre tabIndex={0}>{visible(text)}</pre>}
  </From>
);

/** A file or a folder: what is in it, once somebody wants to see that, and the way to save it. */
function drawEntry({ name: about, path, kind, size, modified }: Entry) {
  const isFile = kind === "file";
  const facts = joined(isFile ? bytes(size) : kind, dayAndTime(modified));
  const content = isFile ? <Text path={path} /> : <FolderList path={path} />;
  const canShow = kind === "directory" || (isFile && size <= largest);
  return (
    <Line
      key={path}
      name={visible(about)}
      note={[facts, canShow && <Fold name="Show" children={content} />]}
      actions={[isFile && { label: "Download", about, act: () => download(routeOf(path), about) }]}
    />
  );
}

/** A folder, read anew when something has been changed in files. */
function FolderList({ path }: Pick<Entry, "path">) {
  const [limit, setLimit] = useState(100);
  const { changes, path: pathOf } = thread.value;
  return (
    <From<Folder> path={pathOf(["files"], { path, limit })} anew={changes.value.length}>
      {({ workingDirectory, entries, count }) => [
        path === "" && <Path path={workingDirectory} />,
        <Items of={entries} empty="There are no files here." count={count} more={() => setLimit(limit + 100)}>
          {drawEntry}
        </Items>,
      ]}
    </From>
  );
}

function Files() {
  const { changes, failure } = thread.value;
  const calls = new Set(changes.value.flatMap(({ runId, callId }) => (runId === null && callId) || []));
  return [
    failure.value !== "" && <p class="failure">{failure.value}</p>,
    <FolderList path="" />,
    [...calls].map((id) => <ChangesLine key={id} id={id} />),
  ];
}

/** Shows the files of the conversation that is open; a new one is made for them. */
export async function openFiles(): Promise<void> {
  await thread.peek().make();
  openPanel("Files", <Files />);
}

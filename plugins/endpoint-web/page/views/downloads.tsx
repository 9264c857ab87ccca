import { useEffect, useState } from "preact/hooks";
import { call, type DownloadStatus, type FoundModels, pathOf } from "../link/index.ts";
import { Button, Failed, Form, Line, Reading, useAct, useRead } from "../parts/index.ts";
import { loadModels } from "../state/index.ts";
import { bytes, duration } from "../text/index.ts";

const root = ["api", "models", "download"];
const fits = { yes: "fits this computer", tight: "fits tightly", no: "too large", unknown: "" } as const;

interface RowProps {
  readonly answerBy: (model: string) => Promise<void>;
  readonly download: DownloadStatus;
  readonly again: () => void;
}

function DownloadRow({ download, answerBy, again }: RowProps) {
  const { downloadId: id, filename, status, bytesDownloaded, totalBytes, downloadSpeed, eta } = download;
  const { failure, act } = useAct();
  const change = (method: "DELETE" | "POST", ...step: readonly string[]) =>
    act(() => call(pathOf([...root, id, ...step]), { method, body: {} }).then(again));
  const isAtWork = status === "starting" || status === "downloading";
  const facts = [
    bytes(bytesDownloaded) + (totalBytes === null ? "" : ` of ${bytes(totalBytes)}`),
    `${bytes(downloadSpeed)} a second`,
    eta === null ? "" : `${duration(eta * 1000)} left`,
  ];
  const left = download.error ?? (status === "cancelled" ? "Cancelled" : "Ready");
  const use = () => act(() => loadModels().then(() => answerBy(download.modelId ?? "")));
  const progress = <progress value={download.progress} aria-label={filename} />;
  return (
    <Line
      name={filename}
      note={isAtWork ? [progress, facts.filter(Boolean).join(", ")] : left}
      failure={failure}
    >
      {isAtWork && <Button press={() => change("DELETE")}>Cancel</Button>}
      {download.modelId !== null && <Button press={use}>Use it</Button>}
      {(status === "failed" || status === "cancelled") && (
        <Button press={() => change("POST", "resume")}>Go on</Button>
      )}
    </Line>
  );
}

/** What the source has, asked once somebody looks for it. */
function Search({ again }: { readonly again: () => void }) {
  const [words, setWords] = useState("");
  const { failure, act } = useAct();
  const read = useRead(() => call<FoundModels>(pathOf([...root, "search"], { q: words, limit: 5 })), words);
  const start = (body: object) => act(() => call(pathOf(root), { method: "POST", body }).then(again));
  const noteOf = ({ quantization, sizeBytes, fits: fit }: FoundModels["models"][number]["files"][number]) =>
    [quantization, sizeBytes !== null && bytes(sizeBytes), fits[fit]].filter(Boolean).join(", ");
  return (
    <>
      <Form role="search" submit={(form) => setWords(new FormData(form).get("words") as string)}>
        <input name="words" type="search" aria-label="Search models" placeholder="Search models" />
      </Form>
      {failure !== "" && <p class="failure">{failure}</p>}
      <Reading read={read}>
        {({ models }) => (
          <ul class="lines">
            {models.length === 0 && <li class="empty">Nothing found.</li>}
            {models.map(({ repoId, files: [file] }) => (
              <Line key={repoId} name={repoId} note={file ? noteOf(file) : "Nothing that can be run here"}>
                {file && (
                  <Button
                    press={() => start({ repoId, filename: file.filename })}
                    aria-label={`Download ${repoId}`}
                  >
                    Download
                  </Button>
                )}
              </Line>
            ))}
          </ul>
        )}
      </Reading>
    </>
  );
}

/** Models that are downloaded or coming, looked at twice a second while one comes; and the way to more. */
export function Downloads({ answerBy }: Pick<RowProps, "answerBy">) {
  const [isOpen, setOpen] = useState(false);
  const { value, failure, again } = useRead(() => call<{ downloads: DownloadStatus[] }>(pathOf(root)), "");
  const all = value?.downloads ?? [];
  const isAtWork = all.some(({ status }) => status === "starting" || status === "downloading");
  useEffect(() => {
    const timer = isAtWork && setTimeout(again, 500);
    return () => clearTimeout(timer || undefined);
  }, [value]);
  return (
    <>
      {failure !== "" && <Failed message={failure} retry={again} />}
      <ul class="lines">
        {all.map((download) => (
          <DownloadRow key={download.downloadId} {...{ download, answerBy, again }} />
        ))}
      </ul>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Download a model</summary>
        {isOpen && <Search again={again} />}
      </details>
    </>
  );
}

import { useState } from "preact/hooks";
import { call, type DownloadStatus, type FoundModels, pathOf } from "../link/index.ts";
import { Fold, From, Items, Line, Search } from "../parts/index.ts";
import { loadModels } from "../state/index.ts";
import { bytes, duration, joined } from "../text/format.ts";

const root = ["api", "models", "download"];
const fits = { yes: "fits this computer", tight: "fits tightly", no: "too large", unknown: "" } as const;

type Listed = Readonly<{ downloads: readonly DownloadStatus[] }>;
type File = FoundModels["models"][number]["files"][number];

const isAtWork = ({ status }: DownloadStatus) => status === "starting" || status === "downloading";

type RowProps = Readonly<{ download: DownloadStatus; answerBy: (model: string) => Promise<void> }>;

function noteOf(download: DownloadStatus): string {
  const { status, bytesDownloaded, totalBytes, downloadSpeed, eta, error } = download;
  const come = bytes(bytesDownloaded) + (totalBytes === null ? "" : ` of ${bytes(totalBytes)}`);
  const speed = `${bytes(downloadSpeed)} a second`;
  if (isAtWork(download)) return joined(come, speed, eta !== null && `${duration(eta * 1000)} left`);
  if (status !== "cancelled") return error ?? "Ready";
  return bytesDownloaded > 0 ? `Stopped at ${come}` : "Cancelled";
}

function DownloadRow({ download, answerBy }: RowProps) {
  const { downloadId: id, filename, status, modelId, progress } = download;
  const change = (method: "DELETE" | "POST", step: readonly string[] = [], query: object = {}) =>
    call(pathOf([...root, id, ...step], { ...query }), method, {});
  const isComing = isAtWork(download);
  const isLeft = status === "failed" || status === "cancelled";
  const use = () => loadModels().then(() => answerBy(modelId ?? ""));
  return (
    <Line
      name={filename}
      note={[isComing && <progress value={progress} aria-label={filename} />, noteOf(download)]}
      actions={[
        isComing && { label: "Pause", act: () => change("DELETE", [], { keepPartial: true }) },
        isComing && { label: "Cancel", act: () => change("DELETE") },
        modelId !== null && { label: "Use it", act: use },
        isLeft && { label: "Go on", act: () => change("POST", ["resume"]) },
        isLeft && { label: "Remove what came", act: () => change("DELETE", ["partial"]) },
      ]}
    />
  );
}

const spaceOf = ({ memoryBytes, freeMemoryBytes, freeDiskBytes }: FoundModels["machine"]): string =>
  joined(
    `${bytes(freeDiskBytes)} free on this disk`,
    `${bytes(freeMemoryBytes)} free of ${bytes(memoryBytes)} of memory`,
  );

function Source({ again }: { readonly again: () => void }) {
  const [words, setWords] = useState("");
  const start = (repoId: string, { filename }: File) =>
    call(pathOf(root), "POST", { repoId, filename }).then(again);
  const factsOf = ({ quantization, sizeBytes, fits: fit }: File) =>
    joined(quantization, sizeBytes !== null && bytes(sizeBytes), fits[fit]);
  return [
    <Search name="Search models" find={setWords} />,
    <From<FoundModels> path={pathOf([...root, "search"], { q: words, limit: 5 })}>
      {({ models, machine }) => [
        <p class="faint">{spaceOf(machine)}</p>,
        <Items of={models} empty="Nothing found.">
          {({ repoId, files: [file] }) => (
            <Line
              key={repoId}
              name={repoId}
              note={file ? factsOf(file) : "Nothing that can be run here"}
              actions={[file && { label: "Download", about: repoId, act: () => start(repoId, file) }]}
            />
          )}
        </Items>,
      ]}
    </From>,
  ];
}

/** Models that are downloaded or coming, looked at twice a second while one comes; and the way to more. */
export const Downloads = ({ answerBy }: Pick<RowProps, "answerBy">) => (
  <From<Listed> path={pathOf(root)} waits={({ downloads }) => (downloads.some(isAtWork) ? 450 : 0)}>
    {({ downloads }, again) => [
      <Items of={downloads}>
        {(download) => <DownloadRow key={download.downloadId} {...{ download, answerBy }} />}
      </Items>,
      <Fold name="Download a model" children={<Source again={again} />} />,
    ]}
  </From>
);

import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { cancelDownload } from "./routes/cancel-download.ts";
import { discardDownload } from "./routes/discard-download.ts";
import { downloadEvents } from "./routes/download-events.ts";
import { downloadStatus } from "./routes/download-status.ts";
import { listDownloads } from "./routes/list-downloads.ts";
import { resumeDownload } from "./routes/resume-download.ts";
import { searchModels } from "./routes/search-models.ts";
import { startDownload } from "./routes/start-download.ts";

export const downloads = defineEndpoints({
  group: "downloads",
  routes: [
    startDownload,
    listDownloads,
    searchModels,
    downloadStatus,
    cancelDownload,
    discardDownload,
    resumeDownload,
    downloadEvents,
  ],
});

export default definePlugin({ endpoints: [downloads] });

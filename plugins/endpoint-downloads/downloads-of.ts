import { AppError, type Services } from "@pergola/sdk";
import type { DownloadService } from "@pergola/sdk/host";

/** Throws `route_not_found` where no plugin downloads models. */
export function downloadsOf({ downloads }: Services): DownloadService {
  if (downloads === undefined)
    throw new AppError({ code: "route_not_found", message: "No plugin that downloads models is installed." });
  return downloads;
}

import { AppError, type Services } from "@pergola/sdk";
import type { FolderService } from "@pergola/sdk/host";

/** Throws `route_not_found` where no plugin keeps folders. */
export function foldersOf({ folders }: Services): FolderService {
  if (folders === undefined)
    throw new AppError({ code: "route_not_found", message: "No plugin that keeps folders is installed." });
  return folders;
}

import { AppError, type Services } from "@pergola/sdk";
import type { ChangeService } from "@pergola/sdk/host";

/** Throws `route_not_found` where no plugin records the changes of files. */
export function changesOf({ changes }: Services): ChangeService {
  if (changes === undefined)
    throw new AppError({
      code: "route_not_found",
      message: "No plugin that records changes of files is installed.",
    });
  return changes;
}

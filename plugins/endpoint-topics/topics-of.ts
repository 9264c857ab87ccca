import { AppError, type Services } from "@pergola/sdk";
import type { TopicService } from "@pergola/sdk/host";

/** Throws `route_not_found` where no plugin keeps topics. */
export function topicsOf({ topics }: Services): TopicService {
  if (topics === undefined)
    throw new AppError({ code: "route_not_found", message: "No plugin that keeps topics is installed." });
  return topics;
}

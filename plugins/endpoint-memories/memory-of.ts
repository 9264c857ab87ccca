import { AppError, type MemoryService, type Services } from "@pergola/sdk";

/** Throws `route_not_found` where no plugin keeps memory. */
export function memoryOf({ memory }: Services): MemoryService {
  if (memory === undefined)
    throw new AppError({ code: "route_not_found", message: "No plugin that keeps memory is installed." });
  return memory;
}

/** Ids are UUIDs in lower case. */
export const idOf = (params: Readonly<Record<string, string>>): string => (params["id"] ?? "").toLowerCase();

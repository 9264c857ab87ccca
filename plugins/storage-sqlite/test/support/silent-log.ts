import type { Log } from "@pergola/sdk";

const ignore = (): void => undefined;

export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

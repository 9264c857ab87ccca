const code = "ACCESS_ENDED";

/** Why the service itself closes the connection of a client: what let it in has ended. */
export const accessEnded = (): Error =>
  Object.assign(new Error("The client's token has ended."), { name: "AbortError", code });

/** Whether the service has closed the connection for that, and the client has not gone by itself. */
export const isAccessEnded = (reason: unknown): boolean =>
  reason instanceof Error && "code" in reason && reason.code === code;

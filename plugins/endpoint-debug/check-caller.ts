import { AppError, type Caller, type Services } from "@pergola/sdk";

/** Throws `remote_not_allowed` for callers on other computers, unless `debug.allow_remote` lets them. */
export function checkCaller({ remote }: Caller, { preferences }: Services): void {
  if (!remote || preferences.get<boolean>("debug.allow_remote")) return;
  throw new AppError({
    code: "remote_not_allowed",
    message: "The debug routes are for callers on the same computer; see debug.allow_remote.",
  });
}

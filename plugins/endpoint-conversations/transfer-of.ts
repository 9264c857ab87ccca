import { AppError, type Services, type TransferService } from "@pergola/sdk";

/** Throws `not_found` where no plugin exports and imports. */
export function transferOf({ transfer }: Services): TransferService {
  if (transfer === undefined)
    throw new AppError({
      code: "not_found",
      message: "No plugin exports and imports conversations; add service-transfer.",
    });
  return transfer;
}

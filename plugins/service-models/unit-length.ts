import { unitVector } from "@pergola/kit-provider";
import { AppError } from "@pergola/sdk";
import type { Embedded } from "@pergola/sdk/host";

/** The same directions at length 1, for the own index. Throws AppError for a vector without a direction. */
export function atUnitLength({ model, vectors }: Embedded): Embedded {
  const unit = vectors.map((vector) => unitVector(Array.from(vector)));
  if (unit.every((vector) => vector !== undefined)) return { model, vectors: unit };
  throw new AppError({
    code: "provider_error",
    message: `${model} gave a text a vector without a direction. Choose another memory.embedding_model.`,
  });
}

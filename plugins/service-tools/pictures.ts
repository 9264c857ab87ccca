import type { OperationResult } from "@pergola/sdk";
import type { CallSetting } from "./check-call.ts";

/** Pictures of one call that a model is shown, and the characters of all of them together. */
const [mostPictures, mostCharacters] = [8, 8 * 2 ** 20];
const picture = /^data:image\/(png|jpeg|gif|webp);base64,/;

/** The pictures of a result that the model of the run can see; they stay with the conversation. */
export function picturesOf(
  { images = [] }: OperationResult,
  { run }: Pick<CallSetting, "run">,
): readonly string[] {
  if (run?.model.supportsVision !== true) return [];
  let left = mostCharacters;
  return images
    .filter((image) => picture.test(image))
    .slice(0, mostPictures)
    .filter((image) => (left -= image.length) >= 0);
}

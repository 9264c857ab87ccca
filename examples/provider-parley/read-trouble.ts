import { stringOf, type AnswerPart, type ToldFailure } from "@pergola/sdk";

/** What a refusal says: `{"trouble": "…", "status": 429}`. */
export function readTrouble({ trouble, status }: AnswerPart): ToldFailure {
  return {
    message: stringOf(trouble),
    ...(typeof status === "number" && { status }),
  };
}

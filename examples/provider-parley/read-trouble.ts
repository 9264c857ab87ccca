import type { AnswerPart, ToldFailure } from "@pergola/sdk";

/** What a refusal says: `{"trouble": "…", "status": 429}`. */
export function readTrouble({ trouble, status }: AnswerPart): ToldFailure {
  return {
    message: typeof trouble === "string" ? trouble : "",
    ...(typeof status === "number" && { status }),
  };
}

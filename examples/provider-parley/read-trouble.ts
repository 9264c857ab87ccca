import type { AnswerPart, FailureDetails } from "@pergola/sdk";

/** What a refusal says: `{"trouble": "…", "status": 429}`. */
export function readTrouble({ trouble, status }: AnswerPart): FailureDetails {
  return {
    message: typeof trouble === "string" ? trouble : "",
    ...(typeof status === "number" && { status }),
  };
}

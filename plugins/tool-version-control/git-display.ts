import { toolDisplay } from "@pergola/sdk";

/** What a person sees of a git call: what is done, and to what. */
export const gitDisplay = (action: string, ...subject: readonly (string | undefined)[]) =>
  toolDisplay(action, subject.filter(Boolean).join(" "), "git-branch");

import { toolDisplay, type ToolDisplay } from "@pergola/sdk";

/** What a person sees of a call: what is done, and to what. */
export const card = (action: string, subject = ""): Partial<ToolDisplay> =>
  toolDisplay(action, subject, "notebook");

import { toolDisplay } from "@pergola/sdk";

export const agentId = { type: "string" } as const;
export const message = { type: "string", minLength: 1 } as const;

/** What a person sees of a call: what is done, and to which agent. */
export const card = (action: string, subject = "") => toolDisplay(action, subject, "users");
